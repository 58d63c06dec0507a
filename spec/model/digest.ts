import { createHash } from 'node:crypto'

/** Identifies a value by its JSON: 16 hexadecimal digits, equal for equal values. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
}
