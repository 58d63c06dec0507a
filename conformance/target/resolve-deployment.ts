import { createPrivateKey, X509Certificate } from 'node:crypto'
import { relative, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { formatPosition } from '../../spec/load/position.js'
import { PEM_LIMIT, readTextFile } from '../../spec/load/read-text-file.js'
import { AssayError, type AssayErrorCode } from '../../spec/model/assay-error.js'
import { defined } from '../../spec/model/items.js'
import { isMap, type Json } from '../../spec/model/json.js'
import { LISTED_POLICY } from '../../spec/model/policy.js'
import { readBaseUrl } from './check-target.js'
import { showDeclared } from './declared.js'
import type {
  Account,
  ClientCommand,
  Deployment,
  ExternalLoginSettings,
  Registration,
  Secret,
  Tls,
} from './deployment.js'
import type { DeploymentSource } from './merge-deployments.js'
import { toRehearsal } from './resolve-rehearsal.js'
import { startCommand } from './start-command.js'
import type { TargetSettings } from './target-input.js'
import { memberAt, textAt, toRequest } from './target-request.js'
import { toTokenRequest } from './token-request.js'

const defaults = {
  /** 14 days, in seconds (8-R3). */
  tokenLifetime: 1_209_600,
  includesUserId: false,
  additionalGrantTypes: [],
  clockSkew: 60,
  timeoutMs: 10_000,
} satisfies Partial<Deployment>

/**
 * Fills in every default.
 * @param source valid by the schema and by `checkSettings`
 * @throws AssayError where a TLS file cannot be read or used
 */
export function resolveDeployment(
  source: DeploymentSource,
): Deployment & { readonly secrets: readonly Secret[] } {
  const {
    baseUrl = '',
    accounts,
    headers,
    tls,
    start,
    clients,
    registration,
    externalLogin,
    tokenRequest: _declared,
    role: _role,
    instances: _instances,
    resource: _resource,
    restart: _restart,
    refresh: _refresh,
    revoke: _revoke,
    origins: _origins,
    cohort: _cohort,
    expect: _expect,
    ...plain
  } = source.settings
  const { shown, secrets } = showDeclared(source)
  const tokenRequest = toTokenRequest(source.settings, shown)
  const base = readBaseUrl(baseUrl)
  const [main, ...others] = (accounts ?? []).map((account, index) =>
    withVariable(account, index, source.shown),
  )
  if ('problem' in base || main === undefined) throw new TypeError('settings that were not checked')
  return {
    ...defaults,
    ...plain,
    name: source.name,
    baseUrl: base.baseUrl,
    shownBaseUrl: textAt(source.shown, 'baseUrl', baseUrl)?.replace(/\/$/, '') ?? base.baseUrl,
    accounts: [main, ...others] satisfies [Account, ...Account[]],
    headers: Object.entries(headers ?? {}),
    shownHeaders: Object.entries(headers ?? {}).map(([name, value]) => [
      name,
      textAt(memberAt(shown, 'headers'), name, value) ?? `‹value of ${name}›`,
    ]),
    ...defined({
      tokenRequest,
      tls: tls && readTls(tls, source),
      start: start && startCommand(start, source.folder),
      clients: clients && clientCommands(clients, source.folder),
      registration: registration && toRegistration(registration, memberAt(shown, 'registration')),
      externalLogin: externalLogin && toExternalLogin(externalLogin, memberAt(shown, 'externalLogin')),
      rehearsal: toRehearsal(source, shown),
    }),
    runsShare: 1,
    declared: shown,
    secrets,
  }
}

/** @param folder in which they are run */
export function clientCommands(
  clients: NonNullable<TargetSettings['clients']>,
  folder: string,
): readonly ClientCommand[] {
  return clients.map(({ name, version, command }) => ({
    name: name ?? commandName(command),
    ...defined({ version }),
    command,
    cwd: resolve(folder),
  }))
}

/** Arguments may hold secrets: the first alone is named, where it is a file to run. */
function commandName([command = '', first = '-']: readonly string[]): string {
  return first.startsWith('-') ? command : `${command} ${first}`
}

/** Which variable a password came from, as its label in the shown settings says. */
function withVariable(account: Account, index: number, shown: Json): Account {
  const accounts = isMap(shown) ? shown.accounts : undefined
  const own = Array.isArray(accounts) ? accounts[index] : undefined
  const label = textAt(own, 'password', account.password) ?? ''
  const variable = /^‹([A-Za-z_]\w*) from the environment›$/.exec(label)?.[1]
  const shownName = textAt(own, 'userName', account.userName)
  return { ...account, ...defined({ variable, shownName }) }
}

function toRegistration(
  input: NonNullable<TargetSettings['registration']>,
  shown: Json | undefined,
): Registration {
  const { request, cleanUp, policy, ...plain } = input
  const shownEmailDomain = textAt(shown, 'emailDomain', plain.emailDomain ?? '')
  return {
    immediate: true,
    loginName: '$userName',
    emailDomain: 'example.com',
    ...plain,
    request: toRequest(request, memberAt(shown, 'request')),
    ...defined({ shownEmailDomain, cleanUp: cleanUp && toRequest(cleanUp, memberAt(shown, 'cleanUp')) }),
    policy: { ...LISTED_POLICY, ...policy },
  }
}

function toExternalLogin(
  input: NonNullable<TargetSettings['externalLogin']>,
  shown: Json | undefined,
): ExternalLoginSettings {
  const { prepare, request, account, withoutCallback } = input
  const shownPrepare = memberAt(memberAt(shown, 'prepare'), 'request')
  return {
    request: toRequest(request, memberAt(shown, 'request')),
    account,
    ...defined({
      prepare: prepare && { ...prepare, request: toRequest(prepare.request, shownPrepare) },
      withoutCallback: withoutCallback && toRequest(withoutCallback, memberAt(shown, 'withoutCallback')),
    }),
  }
}

/**
 * Reads the PEM files that a target names, relative to its folder.
 * @throws AssayError `missing-file` or `bad-target`, with the place of the path
 */
function readTls(
  input: NonNullable<TargetSettings['tls']>,
  { folder, located, shown }: DeploymentSource,
): Tls {
  const paths = (['ca', 'cert', 'key'] as const).flatMap((key) => {
    const path = input[key]
    return path === undefined ? [] : [{ key, path }]
  })
  const refused = (key: PemKey, code: AssayErrorCode, message: string, cause?: unknown): AssayError =>
    new AssayError(code, `${formatPosition(located.at(`/tls/${key}`))}: ${message}`, { cause })
  const texts = paths.map(({ key, path }) => {
    try {
      return [key, readTextFile(resolve(folder, path), 'a PEM file', PEM_LIMIT)]
    } catch (cause) {
      throw refused(key, 'missing-file', 'expected a PEM file that can be read, found none', cause)
    }
  })
  const pem: PemTexts = Object.fromEntries(texts)
  const problem = pemProblem(pem)
  if (problem !== undefined) throw refused(...problem)
  const labels = memberAt(shown, 'tls')
  // Of the working folder, in which a copied command is run.
  const files = paths.map(({ key, path }) => [
    key,
    textAt(labels, key, path) ?? relative('', resolve(folder, path)),
  ])
  const { rejectUnauthorized = true } = input
  return { ...pem, rejectUnauthorized, files: Object.fromEntries(files) }
}

type PemKey = 'ca' | 'cert' | 'key'
type PemTexts = Readonly<Partial<Record<PemKey, string>>>

/** Why no connection could be begun with these, and at which of them. Nothing that they hold is quoted: one is a private key. */
function pemProblem(pem: PemTexts): readonly [PemKey, AssayErrorCode, string] | undefined {
  for (const key of ['ca', 'cert'] as const) {
    const text = pem[key]
    // Without an authority none at all is trusted; without a certificate of its own a client presents none.
    if (text !== undefined && attempt(() => new X509Certificate(text)) instanceof Error)
      return [key, 'missing-file', 'expected a PEM file with a certificate, found none']
  }
  const { cert, key: text } = pem
  if (cert === undefined || text === undefined) return undefined
  const key = attempt(() => createPrivateKey(text))
  if (key instanceof Error)
    return /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/.test(text)
      ? ['key', 'bad-target', 'expected a private key without a passphrase, found an encrypted one']
      : ['key', 'missing-file', 'expected a PEM file with a private key, found none']
  if (!new X509Certificate(cert).checkPrivateKey(key))
    return ['key', 'bad-target', 'expected the private key of the certificate in `tls.cert`, found another']
  const context = attempt(() => createSecureContext(pem))
  if (!(context instanceof Error)) return undefined
  const code = 'code' in context ? ` (${context.code})` : ''
  return ['cert', 'bad-target', `expected a certificate and a key that TLS can use, found others${code}`]
}

function attempt<T>(act: () => T): T | Error {
  try {
    return act()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
