import { closeSync, openSync, writeSync } from 'node:fs'
import { footerLine, headerLine, resultLine } from '../reports/ndjson.js'
import { AssayError } from '../spec/assay-error.js'
import type { Report, ReportStart, Result } from '../spec/types.js'
import type { Output } from './output.js'

/** A report that is written line by line while its run goes on. */
export interface Stream {
  start(start: ReportStart, ids: readonly string[]): void
  result(result: Result): void
  end(report: Report): void
}

/** Streams to every output of the format `ndjson`; what is streamed is not rendered once more at the end. */
export function createStream(outputs: readonly Output[]): Stream {
  const sinks = outputs.map(({ file }) => sinkOf(file))
  const write = (line: string): void => {
    for (const sink of sinks) sink.write(line)
  }
  return {
    start(start, ids) {
      for (const sink of sinks) sink.open()
      write(headerLine(start, ids))
    },
    result(result) {
      if (sinks.length > 0) write(resultLine(result))
    },
    end(report) {
      write(footerLine(report))
      for (const sink of sinks) sink.close()
    },
  }
}

interface Sink {
  open(): void
  write(line: string): void
  close(): void
}

/** Line by line and at once: whoever follows the file sees each result as it is judged, and a killed run leaves them. */
function sinkOf(file: string | undefined): Sink {
  if (file === undefined) {
    return { open: () => undefined, write: (line) => process.stdout.write(line), close: () => undefined }
  }
  let descriptor = -1
  const attempt = (action: () => void): void => {
    try {
      action()
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new AssayError('unwritable-file', `${file} cannot be written: ${why}`, { cause })
    }
  }
  return {
    open: () =>
      attempt(() => {
        descriptor = openSync(file, 'w')
      }),
    write: (line) =>
      attempt(() => {
        const bytes = Buffer.from(line)
        for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from)
      }),
    close: () => attempt(() => closeSync(descriptor)),
  }
}
