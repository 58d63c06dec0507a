import t from 'tap'
import type { ServerConfig } from './settings.js'
import {
  mergeConfigs,
  misspeltVariables,
  type SettingName,
  settingFlags,
  settingsOfEnvironment,
  settingsOfFlags,
  variableOf,
} from './settings.js'

interface Row {
  readonly file: ServerConfig
  /** The text in the environment, and the one of the flag. */
  readonly texts: readonly [string, string]
  readonly read: (config: ServerConfig) => unknown
  /** What a server is given by the file, the environment and the flag. */
  readonly values: readonly [unknown, unknown, unknown]
}

const rows: Readonly<Record<SettingName, Row>> = {
  host: { file: { host: 'a' }, texts: ['b', 'c'], read: ({ host }) => host, values: ['a', 'b', 'c'] },
  port: { file: { port: 1 }, texts: ['2', '0'], read: ({ port }) => port, values: [1, 2, 0] },
  'base-path': {
    file: { basePath: '/a' },
    texts: ['/b', '/c'],
    read: ({ basePath }) => basePath,
    values: ['/a', '/b', '/c'],
  },
  'public-url': {
    file: { publicUrl: 'http://a' },
    texts: ['http://b', 'http://c'],
    read: ({ publicUrl }) => publicUrl,
    values: ['http://a', 'http://b', 'http://c'],
  },
  'token-lifetime': {
    file: { tokenLifetime: 1 },
    texts: ['2', '3'],
    read: ({ tokenLifetime }) => tokenLifetime,
    values: [1, 2, 3],
  },
  'includes-user-id': {
    file: { includesUserId: true },
    texts: ['false', 'true'],
    read: ({ includesUserId }) => includesUserId,
    values: [true, false, true],
  },
  'protected-resource': {
    file: { protectedResource: true },
    texts: ['false', 'true'],
    read: ({ protectedResource }) => protectedResource,
    values: [true, false, true],
  },
  'refresh-tokens': {
    file: { refreshTokens: { rotation: false } },
    texts: ['false', 'true'],
    read: ({ refreshTokens }) => refreshTokens,
    values: [{ rotation: false }, false, true],
  },
  hashing: {
    file: { hashing: 'fast' },
    texts: ['argon2id', 'fast'],
    read: ({ hashing }) => hashing,
    values: ['fast', 'argon2id', 'fast'],
  },
  tls: {
    file: { tls: { cert: 'c', key: 'k' } },
    texts: ['self-signed', 'self-signed'],
    read: ({ tls }) => tls,
    values: [{ cert: 'c', key: 'k' }, 'self-signed', 'self-signed'],
  },
  'cors-origins': {
    file: { cors: '*' },
    texts: ['https://b, https://c', '*'],
    read: ({ cors }) => cors,
    values: ['*', ['https://b', 'https://c'], '*'],
  },
  'body-limit': {
    file: { bodyLimitBytes: 1 },
    texts: ['2', '3'],
    read: ({ bodyLimitBytes }) => bodyLimitBytes,
    values: [1, 2, 3],
  },
  grace: {
    file: { graceMs: 1 },
    texts: ['2', '0'],
    read: ({ graceMs }) => graceMs,
    values: [1, 2000, 0],
  },
  'log-level': {
    file: { log: { level: 'warn' } },
    texts: ['error', 'silent'],
    read: ({ log }) => log?.level,
    values: ['warn', 'error', 'silent'],
  },
  'log-format': {
    file: { log: { format: 'text' } },
    texts: ['json', 'text'],
    read: ({ log }) => log?.format,
    values: ['text', 'json', 'text'],
  },
  'control-port': {
    file: { control: { port: 1 } },
    texts: ['2', '0'],
    read: ({ control }) => control?.port,
    values: [1, 2, 0],
  },
  'control-host': {
    file: { control: { host: 'a' } },
    texts: ['b', 'c'],
    read: ({ control }) => control?.host,
    values: ['a', 'b', 'c'],
  },
  'control-remote': {
    file: { control: { remote: true } },
    texts: ['false', 'true'],
    read: ({ control }) => control?.remote,
    values: [true, false, true],
  },
}

t.test('of every setting the environment wins over the file, and the flag over both', async (t) => {
  t.strictSame(Object.keys(rows).toSorted(), Object.keys(settingFlags).toSorted())
  // All of the others are in the file: what is given later takes none of them away.
  const everything = Object.values(rows)
    .map(({ file }) => file)
    .reduce(mergeConfigs)
  for (const [name, { texts, read, values }] of Object.entries(rows)) {
    const environment = settingsOfEnvironment({ [variableOf(name)]: texts[0] })
    const flags = settingsOfFlags((asked) => (asked === name ? texts[1] : undefined))
    const configs = [
      everything,
      mergeConfigs(everything, environment),
      [environment, flags].reduce(mergeConfigs, everything),
    ]
    t.strictSame(configs.map(read), values, name)
    for (const [other, row] of Object.entries(rows))
      if (other !== name)
        t.strictSame(configs.map(row.read), Array(3).fill(row.values[0]), `${name}: ${other}`)
    t.strictSame(settingsOfEnvironment({ [variableOf(name)]: '' }), {}, 'an empty variable is none')
  }
})

t.test('what a variable cannot be is said by its name', async (t) => {
  const wrong: readonly (readonly [SettingName, string])[] = [
    ['port', ' '],
    ['port', ' 5000'],
    ['port', '5e3'],
    ['port', 'tcp://10.0.0.1:5000'],
    ['port', '-1'],
    ['token-lifetime', '0'],
    ['includes-user-id', 'yes'],
    ['includes-user-id', 'TRUE'],
    ['hashing', 'Argon2id'],
    ['grace', '1.5'],
    ['log-level', 'debug'],
    ['control-remote', '1'],
  ]
  for (const [name, text] of wrong)
    t.throws(
      () => settingsOfEnvironment({ [variableOf(name)]: text }),
      { name: 'AssayError', message: new RegExp(`^${variableOf(name)} takes .*, not \`${text}\`$`) },
      `${name}=${text}`,
    )
})

t.test('variables that are near to one that is read', async (t) => {
  const env = {
    TOKEN_ASSAY_PROT: '1',
    TOKEN_ASSAY_CONTROLPORT: '1',
    TOKEN_ASSAY_PASWORD: 'x',
    TOKEN_ASSAY_PORT: '1',
    TOKEN_ASSAY_PASSWORD: 'x',
    TOKEN_ASSAY_CONTROL_SECRET: 'x',
    TOKEN_ASSAY_DEBUG: '1',
    TOKEN_ASSAY_SOMETHING_ELSE: '1',
    PORT: '1',
  }
  t.strictSame(misspeltVariables(env), [
    { name: 'TOKEN_ASSAY_PROT', meant: 'TOKEN_ASSAY_PORT' },
    { name: 'TOKEN_ASSAY_CONTROLPORT', meant: 'TOKEN_ASSAY_CONTROL_PORT' },
    { name: 'TOKEN_ASSAY_PASWORD', meant: 'TOKEN_ASSAY_PASSWORD' },
  ])
})
