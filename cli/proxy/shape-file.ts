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
}

/** Keeps the shape of each exchange, one a line, up to a size: what is beyond is left out, and the last line says so. */
export function openShapeFile(file: string, declared: DeclaredService): ShapeFile {
  const output = openOutput(file)
  let pending = ''
  let written = 0
  let isOpen = true
  const flush = (): void => {
    const text = pending
    pending = ''
    if (!isOpen || text === '') return
    try {
      output.write(text)
    } catch (error) {
      if (!(error instanceof AssayError)) throw error
      isOpen = false
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
    [Symbol.dispose]: () => {
      flush()
      output.close()
    },
  }
}
