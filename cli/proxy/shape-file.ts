import type { Exchange } from '../../conformance/exchange/exchange.js'
import type { DeclaredService } from '../../conformance/judge/traffic/declared.js'
import { type Shape, shapeOf } from '../../conformance/judge/traffic/shape.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { openOutput } from '../shared/files.js'
import { print } from '../shared/print.js'

/** Characters that are written at once, and of the whole file. */
const PIECE = 64 * 1024
const MAX_FILE = 256 * 1024 * 1024

export interface ShapeFile extends Disposable {
  readonly add: (exchange: Exchange) => void
  /** Writes what is not yet written. @throws AssayError `unwritable-file`, also where that was earlier */
  readonly end: () => void
}

/** Keeps the shape of each exchange, one a line, up to a size: what is beyond is left out, and the last line says so. */
export function openShapeFile(file: string, declared: DeclaredService): ShapeFile {
  const output = openOutput(file)
  let pending = ''
  let written = 0
  let failure: Error | undefined
  const flush = (): void => {
    const text = pending
    pending = ''
    if (failure !== undefined || text === '') return
    try {
      output.write(text)
    } catch (error) {
      if (!(error instanceof AssayError)) throw error
      failure = error
      print(error.message)
    }
  }
  const line = (value: Shape | { readonly truncated: true }): void => {
    const text = `${JSON.stringify(value)}\n`
    written += text.length
    pending += text
    if (pending.length >= PIECE) flush()
  }
  return {
    add: (exchange) => {
      if (written < MAX_FILE) {
        line(shapeOf(exchange, declared))
        if (written >= MAX_FILE) line({ truncated: true })
      }
    },
    end: () => {
      flush()
      if (failure !== undefined) throw failure
    },
    [Symbol.dispose]: () => {
      flush()
      output.close()
    },
  }
}
