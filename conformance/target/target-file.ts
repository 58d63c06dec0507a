import { formatFindings } from '../../spec/load/position.js'
import { readPositioned } from '../../spec/load/positioned.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Json } from '../../spec/model/json.js'
import type { Target } from './deployment.js'
import { type Environment, substituteEnvironment } from './environment.js'
import { resolveTarget } from './target.js'
import type { TargetInput, TargetSettings } from './target-input.js'

/** Also of a pipe, such as a shell's `<(…)`. */
export const TARGET_LIMIT = { kib: 512, code: 'bad-target', pipes: true } as const

/**
 * Reads a target file: YAML 1.2, or strict JSON where the name ends in `.json`.
 * @param env what `${NAME}` takes its value from
 * @param overrides settings that replace those at the top of the file, such as flags of a command
 * @throws AssayError with file:line:column: `missing-file`, `malformed-file`, `unset-variable`, `bad-target`
 */
export function loadTargetFile(path: string, env: Environment, overrides: TargetSettings = {}): Target {
  return readTargetText(path, readTextFile(path, 'a target file', TARGET_LIMIT), env, overrides)
}

/**
 * The same of a text.
 * @param path the name that messages carry; paths in the text are relative to its folder
 */
export function readTargetText(
  path: string,
  text: string,
  env: Environment,
  overrides: TargetSettings = {},
): Target {
  const document = readPositioned(path, text)
  const { value, shown, secrets, findings } = substituteEnvironment(document.value, env, document)
  if (findings.length > 0) throw new AssayError('unset-variable', formatFindings(findings))
  // Without an override the value may be no map: `resolveTarget` validates it before it reads it.
  const override = (json: Json): Json => {
    if (Object.keys(overrides).length === 0) return json
    const declared = json as { readonly tls?: object }
    // A certificate of the client stays as it is declared.
    const tls = overrides.tls === undefined ? {} : { tls: { ...declared.tls, ...overrides.tls } }
    return { ...declared, ...overrides, ...tls } as Json
  }
  return resolveTarget(override(value) as TargetInput, {
    file: path,
    positions: document,
    shown: override(shown),
    secrets,
  })
}
