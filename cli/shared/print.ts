import { escapeForTerminal } from '../../reports/formats/shared/escape.js'

/** Prints a line on standard error. What it quotes, of a service or a file, cannot steer the terminal. */
export function print(text: string): void {
  process.stderr.write(`token-assay: ${escapeForTerminal(text)}\n`)
}
