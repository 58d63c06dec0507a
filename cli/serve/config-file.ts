import { readFileSync, statSync } from 'node:fs'
import { type Environment, substituteEnvironment } from '../../conformance/target/environment.js'
import { AssayError } from '../../spec/assay-error.js'
import { serverConfig as validServerConfig } from '../../spec/generated/validators/server-config.js'
import { type Finding, formatFindings } from '../../spec/position.js'
import { readPositioned } from '../../spec/positioned.js'
import { violations } from '../../spec/validator.js'
import { contradictions } from './contradictions.js'
import type { ServerConfig } from './server-config.js'
import { variableOf } from './settings.js'

const largestBytes = 4 * 2 ** 20

/**
 * Reads `server.yaml`, or strict JSON where the name ends in `.json`.
 * @throws AssayError with file:line:column: `missing-file`, `malformed-file`, `unset-variable`, `bad-server-config`
 */
export function readServerConfig(file: string, env: Environment): ServerConfig {
  const text = readText(file)
  const document = readPositioned(file, text)
  const { value, findings } = substituteEnvironment(document.value, env, document)
  if (findings.length > 0) throw new AssayError('unset-variable', formatFindings(findings))
  // An empty file configures nothing.
  const config: unknown = value ?? {}
  if (!isServerConfig(config))
    throw bad(violations(validServerConfig, config, document).map((finding) => withHint(finding, text)))
  const doubts = [...contradictions(config, document)]
  if (doubts.length > 0) throw bad(doubts)
  return config
}

const isServerConfig = (value: unknown): value is ServerConfig => validServerConfig(value)

function bad(findings: readonly Finding[]): AssayError {
  return new AssayError('bad-server-config', formatFindings(findings))
}

function readText(file: string): string {
  const status = statSync(file, { throwIfNoEntry: false })
  if (!status?.isFile())
    throw new AssayError('missing-file', `${file}: expected the server's configuration, found no file`)
  if (status.size > largestBytes)
    throw new AssayError('bad-server-config', `${file}: expected at most 4 MiB, found ${status.size} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (cause) {
    throw new AssayError('malformed-file', `${file}: expected text in UTF-8 that can be read`, { cause })
  }
}

/** Where a text stands that should have been a number, because it was a variable. */
function withHint({ position, message }: Finding, text: string): Finding {
  const written = text.split('\n')[position.line - 1]?.slice(position.column - 1) ?? ''
  const isVariable = /^["']?\$\{/.test(written) && message.endsWith('found a string')
  return isVariable
    ? {
        position,
        message: `${message}: what a variable holds is one (numbers: ${variableOf('port')} and its like)`,
      }
    : { position, message }
}
