/** docs/server.yaml and docs/serve.md: what they say of the configuration is so, and they leave nothing out. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { readServerConfig } from '../../cli/serve/config-file.js'
import { settingFlags, settingsOfEnvironment, settingsOfFlags, variableOf } from '../../cli/serve/settings.js'
import { callCommand } from '../fixtures/call-command.js'
import { startCommand } from '../fixtures/command.js'

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const FILE = fileURLToPath(new URL('../../docs/server.yaml', import.meta.url))
const yaml = read('docs/server.yaml')
const env: Readonly<Record<string, string>> = {
  ALICE_PASSWORD: 'Canary-in-a-mine-7',
  ACME_CLIENT_SECRET: 'Canary-of-acme',
  TOKEN_ASSAY_CONTROL_SECRET: 'Canary-of-the-control',
  TOKEN_KEY: 'Canary-of-the-key-that-signs-now',
  OLD_TOKEN_KEY: 'Canary-of-the-key-of-another-day',
}

interface Schema {
  readonly $ref?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly $defs?: Readonly<Record<string, Schema>>
}
const schema: Schema = JSON.parse(read('spec/schemas/server-config.schema.json'))

/** Every setting: its path, and its default if it has one. */
function* settingsIn(node: Schema, path = ''): Generator<readonly [string, unknown]> {
  const { $ref, properties = {}, items, oneOf = [] } = node
  const target = $ref?.startsWith('#/$defs/') ? schema.$defs?.[$ref.slice('#/$defs/'.length)] : undefined
  if (target !== undefined) yield* settingsIn(target, path)
  else if ($ref !== undefined) yield* settingsIn(JSON.parse(read(`spec/schemas/${$ref}`)), path)
  for (const [name, member] of Object.entries(properties)) {
    yield [`${path}/${name}`, member.default]
    yield* settingsIn(member, `${path}/${name}`)
  }
  if (items !== undefined) yield* settingsIn(items, `${path}/0`)
  for (const member of oneOf) yield* settingsIn(member, path)
}
const settings = new Map(settingsIn(schema))
const valueAt = (value: unknown, path: string): unknown =>
  path
    .split('/')
    .slice(1)
    // Whatever it is: what is not there is undefined.
    .reduce((node, name) => (node as Readonly<Record<string, unknown>> | undefined)?.[name], value)

/** The settings in comments, each with the rest of its line. */
const off = [...yaml.matchAll(/^# ([a-z]\w*: .*)$/gm)]
  .map(([, line = '']) => line)
  .filter((line) => line !== '')

t.test('server.yaml holds every setting, with its default', async (t) => {
  const configs = [parse(yaml), ...off.map((line) => parse(line))]
  t.ok(settings.size > 45)
  for (const [path, initial] of settings) {
    t.ok(
      configs.some((config) => valueAt(config, path) !== undefined),
      `${path} is there`,
    )
    if (initial !== undefined) t.equal(valueAt(configs[0], path), initial, `${path} has its default`)
  }
})

t.test('it is valid, with any of what is off in it too', async (t) => {
  t.match(readServerConfig(FILE, env).config, {
    accounts: [{ password: env.ALICE_PASSWORD }],
    control: { port: 0 },
  })
  t.equal(off.length, 11)
  for (const line of off) {
    const file = join(t.testdir({ 'server.yaml': yaml.replace(`# ${line}`, line) }), 'server.yaml')
    t.match(
      readServerConfig(file, env).config,
      parse(line.replace(/\$\{(\w+)\}/g, (_, name) => env[name] ?? '')),
      line,
    )
  }
})

t.test('it starts a server', async (t) => {
  const cwd = t.testdir({ 'server.yaml': yaml })
  const { child, ended, saying } = startCommand(['serve', '--port', '0'], { cwd, env })
  t.teardown(() => child.kill('SIGKILL'))
  t.match(await saying('stdout', 'control http'), /^http:\/\/127\.0\.0\.1:\d+\ncontrol http/)
  t.match(await saying('stderr', 'control-listening'), /"page":"http:[^"]*\/page"/)
  child.kill('SIGTERM')
  t.equal((await ended).exitCode, 0)
})

t.test('serve.md names every flag and variable, with its setting and default', async (t) => {
  const page = read('docs/serve.md')
  const rows = [...page.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split('|').map((cell) => /`([^`]+)`/.exec(cell)?.[1]))
    .filter(([flag, variable]) => flag?.startsWith('--') || variable?.startsWith('TOKEN_ASSAY_'))
  const help = (await callCommand(['serve', '--help'], { cwd: t.testdir() })).stdout
  const flags = [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag = '']) => flag)
  t.ok(flags.length > 20)
  t.strictSame(
    rows.flatMap(([flag]) => (flag === undefined ? [] : [flag])).toSorted(),
    flags.filter((flag) => flag !== '--help').toSorted(),
  )

  const shown = [...page.matchAll(/```sh\n.*? serve (.*?)```/gs)].flatMap(
    ([, line = '']) => line.match(/--[\w-]+/g) ?? [],
  )
  t.ok(shown.length > 4)
  t.strictSame(
    shown.filter((flag) => !flags.includes(flag)),
    [],
    'what is shown is there',
  )

  const samples: Readonly<Record<string, string>> = {
    'base-path': '/a',
    host: '::1',
    hashing: 'fast',
    tls: 'self-signed',
    'cors-origins': '*',
    'public-url': 'http://a.example',
    'log-level': 'warn',
    'log-format': 'text',
    'control-host': '::1',
    'includes-user-id': 'true',
    'control-remote': 'true',
    'protected-resource': 'true',
    'refresh-tokens': 'true',
  }
  for (const name of Object.keys(settingFlags)) {
    const row = rows.find(([flag]) => flag === `--${name}`)
    const [, variable = '', setting = '', initial] = row ?? []
    t.equal(variable, variableOf(name))
    const path = `/${setting.replaceAll('.', '/')}`
    const text = samples[name] ?? '7'
    const set = settingsOfFlags((other) => (other === name ? text : undefined))
    t.not(valueAt(set, path), undefined, `--${name} sets ${setting}`)
    t.strictSame(settingsOfEnvironment({ [variable]: text }), set, `${variable} sets the same`)
    t.equal(
      initial,
      settings.get(path) === undefined ? undefined : String(settings.get(path)),
      `${name}'s default`,
    )
  }
})
