import { isatty, ReadStream, WriteStream } from 'node:tty'
import { escapeForTerminal, printedLines } from '../../reports/formats/shared/escape.js'

/** Everything that shipped code prints is printed here: `tools/lint/one-writer.grit` allows no other use of the two streams. */
export type OwnOutput = 'stdout' | 'stderr'

/** Removes the line that the cursor is on, so that another can be drawn there. */
export const CLEAR_LINE = '\r\u001b[2K'

/** Prints a message on standard error. What it quotes, of a service or a file, cannot steer the terminal. */
export function print(message: string): void {
  show(`token-assay: ${escapeForTerminal(message)}\n`, 'stderr')
}

/** Prints one line on standard output, whatever it quotes. */
export function say(line: string): void {
  show(`${escapeForTerminal(line)}\n`)
}

/**
 * Prints text whose line ends are our own, and `CLEAR_LINE` at its beginning; every other character is visible.
 * @param color whether our own colours are in it, and what it quotes is escaped
 */
export function show(text: string, output: OwnOutput = 'stdout', color = false): void {
  const begin = text.startsWith(CLEAR_LINE) ? CLEAR_LINE : ''
  const lines = printedLines(text.slice(begin.length).split('\n'), color)
  passOn(begin + lines.slice(0, -1), output)
}

/** Prints what other programs read as it is: its format has escaped it. */
export function passOn(text: string | Uint8Array, output: OwnOutput = 'stdout'): void {
  process[output].write(text)
}

/** In a thread, which has only pipes to the main thread: the terminal of the process, where it has one. */
export function adoptTerminal(): void {
  for (const [descriptor, output] of [
    [1, 'stdout'],
    [2, 'stderr'],
  ] as const)
    if (isatty(descriptor)) Object.defineProperty(process, output, { value: new WriteStream(descriptor) })
  let stdin: ReadStream | undefined
  const get = (): ReadStream => (stdin ??= new ReadStream(0))
  if (isatty(0)) Object.defineProperty(process, 'stdin', { get })
}

export function isTerminal(output: OwnOutput): boolean {
  return process[output].isTTY
}

/** Columns of the terminal, where there is one. */
export function widthOf(output: OwnOutput): number | undefined {
  return process[output].columns
}

/** Calls back on the first failure to print, but for that of a reader who has stopped reading: that is no error. */
export function onUnprinted(report: (cause: Error) => void): void {
  let isKnown = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'EIO' || isKnown) return
    isKnown = true
    report(error)
  })
  // A full disk must not end a server that writes its log there, and there is no other place for a message.
  process.stderr.on('error', () => undefined)
}

/** Calls back once all output is written, and after the failure of a write was reported. */
export function afterOutput(then: () => void): void {
  process.stdout.write('', () => setImmediate(() => process.stderr.write('', then)))
}
