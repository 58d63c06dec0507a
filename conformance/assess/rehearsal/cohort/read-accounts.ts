import { createReadStream, statSync } from 'node:fs'
import { AssayError } from '../../../../spec/model/assay-error.js'
import { csvRecords } from './csv-records.js'
import { jsonObjects } from './json-objects.js'

/** Characters of one account, with all its fields. */
const MAX_ACCOUNT = 65_536

/** An account of a cohort: its place in the file, from 1, and its fields as texts. */
export interface CohortAccount {
  readonly row: number
  readonly fields: Readonly<Record<string, string>>
}

/**
 * Reads accounts one after the other: CSV with a line of names, or, where the name ends in `.json`, `.jsonl` or `.ndjson`, a
 * list of objects or one object in each line.
 * @throws AssayError `missing-file`, `malformed-file`; never quoting the file, which may hold hashes
 */
export async function* readAccounts(file: string): AsyncGenerator<CohortAccount> {
  const malformed = (what: string, cause?: unknown): AssayError =>
    new AssayError('malformed-file', `${file}: ${what}`, { cause })
  const isJson = /\.(?:json|jsonl|ndjson)$/i.test(file)
  refuseNoFile(file)
  const stream = createReadStream(file)
  let row = 0
  try {
    const chunks = withoutMark(stream.setEncoding('utf8'))
    for await (const fields of isJson ? fromJson(chunks) : fromCsv(chunks)) {
      row += 1
      yield { row, fields }
    }
  } catch (cause) {
    if (cause instanceof AssayError) throw cause
    if (cause instanceof Error && 'code' in cause) throw unreadable(file, cause)
    throw malformed(
      `expected ${isJson ? 'objects, in a list or one in each line' : 'CSV with a line of names'}, found something else at account ${row + 1}`,
      cause,
    )
  } finally {
    stream.destroy()
  }
}

/** @throws AssayError `missing-file`: no signal ends the opening of a pipe that no one writes to */
export function refuseNoFile(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw unreadable(file)
}

function unreadable(file: string, cause?: unknown): AssayError {
  return new AssayError('missing-file', `${file}: expected a cohort, found no file that can be read`, {
    cause,
  })
}

async function* fromJson(chunks: AsyncIterable<string>): AsyncGenerator<CohortAccount['fields']> {
  for await (const text of jsonObjects(chunks, MAX_ACCOUNT)) yield textsOf(JSON.parse(text))
}

async function* fromCsv(chunks: AsyncIterable<string>): AsyncGenerator<CohortAccount['fields']> {
  let names: readonly string[] | undefined
  for await (const record of csvRecords(chunks, MAX_ACCOUNT)) {
    if (names === undefined) names = record.map((name) => name.trim())
    else yield Object.fromEntries(names.map((name, index) => [name, record[index] ?? '']))
  }
}

/** The byte order mark that some programs write. */
async function* withoutMark(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const chunk of chunks) {
    yield isFirst ? chunk.replace(/^\ufeff/, '') : chunk
    isFirst = false
  }
}

function textsOf(value: unknown): CohortAccount['fields'] {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      typeof field === 'string' || typeof field === 'number' ? [[name, String(field)]] : [],
    ),
  )
}
