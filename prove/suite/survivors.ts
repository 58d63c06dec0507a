import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** Why it is right that no mutant notices, by the site's id. */
export type Survivors = ReadonlyMap<string, string>

/** @throws Error where the file is no list of `id` and `reason` */
export function readSurvivors(file: string): Survivors {
  const entries: unknown = parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(entries)) throw new Error(`${file}: expected a list`)
  return new Map(
    entries.map((entry: unknown): [string, string] => {
      if (!isEntry(entry)) throw new Error(`${file}: expected id and reason, found ${JSON.stringify(entry)}`)
      return [entry.id, entry.reason]
    }),
  )
}

function isEntry(entry: unknown): entry is { readonly id: string; readonly reason: string } {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'id' in entry &&
    typeof entry.id === 'string' &&
    'reason' in entry &&
    typeof entry.reason === 'string' &&
    entry.reason !== ''
  )
}
