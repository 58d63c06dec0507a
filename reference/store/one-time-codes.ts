import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.js'

/** Random strings that stand for a value for a while. The oldest are forgotten beyond the limit. */
export interface OneTimeCodes<T> {
  issue(value: T): string
  /** The value, unless the code is unknown or expired. */
  find(code: string): T | undefined
  /** The same, and the code is used up. */
  redeem(code: string): T | undefined
}

export function createOneTimeCodes<T>(clock: Clock, lifetimeSeconds: number, limit: number): OneTimeCodes<T> {
  const codes = new Map<string, { readonly value: T; readonly expiresAtMs: number }>()
  const find = (code: string): T | undefined => {
    const found = codes.get(code)
    return found !== undefined && clock.now() < found.expiresAtMs ? found.value : undefined
  }
  return {
    issue(value) {
      const code = randomBytes(32).toString('base64url')
      codes.set(code, { value, expiresAtMs: clock.now() + lifetimeSeconds * 1000 })
      const [oldest] = codes.keys()
      if (codes.size > limit && oldest !== undefined) codes.delete(oldest)
      return code
    },
    find,
    redeem(code) {
      const value = find(code)
      codes.delete(code)
      return value
    },
  }
}
