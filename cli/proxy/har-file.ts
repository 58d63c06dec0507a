import type { HarEntry } from '../../conformance/assess/traffic/har-entry.js'
import { SUITE } from '../../reports/model/compose-report.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { writeAtomic } from '../shared/files.js'
import { print } from '../shared/print.js'

/** Bounds of the file: all of it is kept until the end. */
const MAX_ENTRIES = 5000
const MAX_CHARACTERS = 16 * 1024 * 1024
const WRITE_EVERY_MS = 5000

export interface HarFile extends Disposable {
  /** @param make the entry; undefined where it cannot be recorded */
  readonly add: (make: () => HarEntry | undefined) => void
  /** Writes what is not yet written. @throws AssayError `unwritable-file` */
  readonly end: () => void
}

/**
 * Records token requests in a HAR 1.2 file, which is whole at any time: it is replaced every five seconds, and at the end.
 * @throws AssayError `unwritable-file`
 */
export function openHarFile(file: string): HarFile {
  const entries: string[] = []
  let characters = 0
  let leftOut = 0
  let isWritten = true
  let failure: Error | undefined
  writeAtomic(file, harText([], 0))
  const write = (): void => {
    if (isWritten) return
    try {
      writeAtomic(file, harText(entries, leftOut))
      isWritten = true
      failure = undefined
    } catch (error) {
      if (!(error instanceof AssayError)) throw error
      if (failure === undefined) print(error.message)
      failure = error
    }
  }
  const timer = setInterval(write, WRITE_EVERY_MS).unref()
  return {
    add: (make) => {
      isWritten = false
      const isFull = entries.length === MAX_ENTRIES || characters >= MAX_CHARACTERS
      const entry = isFull ? undefined : make()
      if (entry === undefined) {
        leftOut++
        return
      }
      const text = JSON.stringify(entry)
      characters += text.length
      entries.push(text)
    },
    end: () => {
      write()
      if (failure !== undefined) throw failure
    },
    [Symbol.dispose]: () => {
      clearInterval(timer)
      write()
    },
  }
}

function harText(entries: readonly string[], leftOut: number): string {
  const { name, version } = SUITE
  const comment =
    `Token requests alone; every value that may be a secret is replaced.` +
    (leftOut === 0 ? '' : ` Not recorded, as the body cannot be read or the file is full: ${leftOut}.`)
  const log = { version: '1.2', creator: { name, version }, comment }
  const [begin] = JSON.stringify({ log: { ...log, entries: [] } }).split(']}}')
  return `${begin}\n${entries.join(',\n')}\n]}}\n`
}
