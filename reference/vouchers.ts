import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.js'

/** Random strings that stand for a value for a while. The oldest are forgotten beyond the limit. */
export interface Vouchers<T> {
  issue(value: T): string
  /** The value, unless the voucher is unknown or expired. */
  find(voucher: string): T | undefined
  /** The same, and the voucher is used up. */
  redeem(voucher: string): T | undefined
}

export function createVouchers<T>(clock: Clock, lifetimeSeconds: number, limit: number): Vouchers<T> {
  const vouchers = new Map<string, { readonly value: T; readonly expiresAtMs: number }>()
  const find = (voucher: string): T | undefined => {
    const found = vouchers.get(voucher)
    return found !== undefined && clock.now() < found.expiresAtMs ? found.value : undefined
  }
  return {
    issue(value) {
      const voucher = randomBytes(32).toString('base64url')
      vouchers.set(voucher, { value, expiresAtMs: clock.now() + lifetimeSeconds * 1000 })
      const [oldest] = vouchers.keys()
      if (vouchers.size > limit && oldest !== undefined) vouchers.delete(oldest)
      return voucher
    },
    find,
    redeem(voucher) {
      const value = find(voucher)
      vouchers.delete(voucher)
      return value
    },
  }
}
