import type { LegalAnswer } from '../../../spec/generated/types/client-scenarios.js'

/** Next year, so that no client takes a token of that day for an old one. */
const YEAR = new Date().getUTCFullYear() + 1
const JUNE = 5

/** Milliseconds since the epoch. */
export function issuedAt(issued: NonNullable<LegalAnswer['issued']>): number {
  if (issued === 'leap day') return Date.UTC(YEAR + 4 - (YEAR % 4), 1, 29, 12)
  if (issued === 'last second of a year') return Date.UTC(YEAR, 11, 31, 23, 59, 59)
  if ('month' in issued) return noon(issued.month - 1, 9)
  const first = new Date(noon(JUNE, 1)).getUTCDay()
  return noon(JUNE, 1 + ((7 + issued.weekday - first) % 7))
}

function noon(month: number, day: number): number {
  return Date.UTC(YEAR, month, day, 12)
}
