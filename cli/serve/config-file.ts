import { dirname, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { type Environment, substituteEnvironment } from '../../conformance/target/environment.js'
import { isLoopback } from '../../reference/options/control-options.js'
import { crossFieldChecks, type SettingsProblem } from '../../reference/options/read-settings.js'
import { serverConfig as isValid } from '../../spec/generated/validators/server-config.js'
import { type Finding, finding, formatFindings } from '../../spec/load/position.js'
import { readPositioned } from '../../spec/load/positioned.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { violations } from '../../spec/load/validator.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { isKey } from '../../spec/model/shown-file.js'
import { type ServerConfig, variableOf } from './settings.js'

export interface ServerConfigFile {
  readonly config: ServerConfig
  readonly isEmpty: boolean
  /**
   * Looks at what is in force of the file, once the environment and flags have had their say.
   * @throws AssayError `bad-server-config` with file:line:column
   */
  readonly check: (inForce: ServerConfig) => void
}

/**
 * Reads `server.yaml`, or strict JSON where the name ends in `.json`.
 * @throws AssayError with file:line:column: `missing-file`, `malformed-file`, `unset-variable`, `bad-server-config`
 */
export function readServerConfig(file: string, env: Environment): ServerConfigFile {
  const text = readTextFile(file, "the server's configuration", { kib: 512, code: 'bad-server-config' })
  const document = readPositioned(file, text)
  const { value, secrets, findings } = substituteEnvironment(document.value, env, document)
  if (findings.length > 0) throw new AssayError('unset-variable', formatFindings(findings))
  // An empty file configures nothing.
  const config: unknown = value ?? {}
  if (!isValid(config))
    throw bad(
      violations(
        isValid,
        config,
        document,
        secrets.map((secret) => secret.value),
      ).map((finding) => withHint(finding, text)),
    )
  const problems = [...crossFieldChecks(config), ...unknownProviders(config)]
  const report = (found: readonly SettingsProblem[]): void => {
    if (found.length > 0)
      throw bad(found.map(({ pointer, message }) => ({ position: document.at(pointer), message })))
  }
  report(problems)
  return {
    config,
    isEmpty: value === undefined || value === null,
    check: ({ tls, control }) =>
      report([
        ...(tls === config.tls ? certificateProblems(tls, file) : []),
        ...(control?.host === config.control?.host ? controlHostProblems(control) : []),
      ]),
  }
}

/** Nothing of the files is quoted: one is a private key. */
function* certificateProblems(tls: ServerConfig['tls'], file: string): Generator<SettingsProblem> {
  if (tls === undefined || tls === 'self-signed') return
  const found: Record<string, string> = {}
  for (const name of ['cert', 'key'] as const) {
    const path = resolve(dirname(file), tls[name])
    try {
      found[name] = readTextFile(path, 'a PEM file')
    } catch {
      yield {
        pointer: `/tls/${name}`,
        message: isKey(tls[name])
          ? 'expected the path of a PEM file, found what such a file holds'
          : `expected a PEM file, found none that can be read at ${path}`,
      }
    }
  }
  if (Object.keys(found).length < 2) return
  try {
    createSecureContext(found)
  } catch {
    yield { pointer: '/tls', message: 'expected a certificate and its own private key, both in PEM' }
  }
}

function* controlHostProblems(control: ServerConfig['control']): Generator<SettingsProblem> {
  const { host, remote = false } = control ?? {}
  if (host !== undefined && !remote && !isLoopback(host))
    yield {
      pointer: '/control/host',
      message: 'other machines can reach this address: to mean it, set control.remote (--control-remote)',
    }
}

/** A program may sign in by a provider that is none of the server's; a file's sign-in would never work. */
function* unknownProviders({ accounts = [], providers = [] }: ServerConfig): Generator<SettingsProblem> {
  for (const [index, { externalLogins = [] }] of accounts.entries())
    for (const [at, { provider }] of externalLogins.entries())
      if (!providers.some(({ name }) => name === provider))
        yield {
          pointer: `/accounts/${index}/externalLogins/${at}/provider`,
          message: 'expected the name of one of the providers, found another',
        }
}

function bad(findings: readonly Finding[]): AssayError {
  return new AssayError('bad-server-config', formatFindings(findings))
}

/** Where a text is in the place of a number, because it was a variable. */
function withHint({ position, message }: Finding, text: string): Finding {
  const written = text.split('\n')[position.line - 1]?.slice(position.column - 1) ?? ''
  const isVariable = /^["']?\$\{/.test(written) && message.endsWith('found a string')
  return isVariable
    ? finding(
        position,
        `${message}: what a variable holds is one (numbers: ${variableOf('port')} and its like)`,
      )
    : { position, message }
}
