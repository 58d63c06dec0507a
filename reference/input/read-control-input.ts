import { control as isValid } from '../../spec/generated/validators/control.js'
import { ControlError } from '../control-error.js'
import { explainInvalid } from './explain-invalid.js'
import { plainCopy } from './plain-copy.js'

/** What a test gives, by its name in `control.schema.json`. */
export type ControlInput =
  | 'account'
  | 'advance'
  | 'body'
  | 'fault'
  | 'freeze'
  | 'hook'
  | 'hookAnswer'
  | 'introspection'
  | 'issue'
  | 'revocation'
  | 'scope'
  | 'settings'
  | 'wait'

/**
 * A copy of what was given, which the schema has found valid.
 * @throws ControlError `bad-request` naming what is wrong, without its value
 */
export function readControlInput<T>(kind: ControlInput, given: unknown): T {
  const copy = plainCopy(given)
  if (copy === 'too deep') throw new ControlError('bad-request', `expected ${kind} to be less deeply nested`)
  const input = { [kind]: copy.value ?? null }
  if (!isValid(input)) throw new ControlError('bad-request', explainInvalid(isValid.errors ?? [], kind))
  // The schema says what it is.
  return input[kind] as T
}
