import { footerLine, headerLine, resultLine } from '../../reports/formats/ndjson/ndjson.js'
import type { Report, ReportStart, Result } from '../../spec/model/report.js'
import { openOutput } from '../shared/files.js'
import type { Output } from '../shared/outputs.js'
import { passOn } from '../shared/print.js'

export interface ReportStream {
  start(start: ReportStart, ids: readonly string[]): void
  result(result: Result): void
  /** @throws AssayError `unwritable-file` where a line could not be written */
  end(report: Report): void
}

/** Streams to the outputs with the format `ndjson`. */
export function createReportStream(outputs: readonly Output[]): ReportStream {
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

/** Each line is written at once: a reader sees each result as it is judged, and a killed run leaves its results. */
function sinkOf(file: string | undefined): Sink {
  if (file === undefined) {
    return { open: () => undefined, write: (line) => passOn(line), close: () => undefined }
  }
  let output: ReturnType<typeof openOutput> | undefined
  let failure: unknown
  return {
    open: () => {
      output = openOutput(file)
    },
    write: (line) => {
      if (failure !== undefined) return
      try {
        output?.write(line)
      } catch (error) {
        // A full disk must not end the run: what else it gives can be kept.
        failure = error
      }
    },
    close: () => {
      output?.close()
      if (failure !== undefined) throw failure
    },
  }
}
