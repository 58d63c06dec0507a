import { readFileSync } from 'node:fs'
import { AssayError } from '../../spec/assay-error.js'
import { formatFindings } from '../../spec/position.js'
import { readPositioned } from '../../spec/positioned.js'
import type { Json } from '../../spec/types.js'
import type { Target } from '../deployment.js'
import { resolveTarget } from '../target.js'
import { type Environment, substituteEnvironment } from './environment.js'
import type { TargetInput, TargetSettings } from './target-input.js'

/**
 * Reads a target file: YAML 1.2, or strict JSON where the name ends in `.json`.
 * @param env what `${NAME}` takes its value from
 * @param overrides settings that replace those at the top of the file, such as flags of a command
 * @throws AssayError with file:line:column: `missing-file`, `malformed-file`, `unset-variable`, `bad-target`
 */
export function loadTargetFile(path: string, env: Environment, overrides: TargetSettings = {}): Target {
  const document = readPositioned(path, readText(path))
  const { value, shown, secrets, findings } = substituteEnvironment(document.value, env, document)
  if (findings.length > 0) throw new AssayError('unset-variable', formatFindings(findings))
  // `resolveTarget` holds the value to the schema before it reads it.
  const input = Object.keys(overrides).length === 0 ? value : { ...(value as object), ...overrides }
  return resolveTarget(input as TargetInput, {
    file: path,
    positions: document,
    // Overrides are plain JSON data too.
    shown: Object.keys(overrides).length === 0 ? shown : ({ ...(shown as object), ...overrides } as Json),
    secrets,
  })
}

function readText(path: string): string {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (cause) {
    throw new AssayError('missing-file', `${path}: expected a target file that can be read, found none`, {
      cause,
    })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new AssayError('malformed-file', `${path}: expected text in UTF-8, found other bytes`, { cause })
  }
}
