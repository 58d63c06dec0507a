import { parseArgs } from 'node:util'
import { AssayError } from '../spec/assay-error.js'
import { nearest } from '../spec/nearest.js'

/** One flag of a command. */
export interface Flag {
  /** What stands for its value in the help; absent for a switch. */
  readonly value?: string
  readonly many?: boolean
  readonly help: string
}

export type Flags = Readonly<Record<string, Flag>>

/** The values of the flags that were given, by name. */
export interface Arguments<F extends Flags> {
  readonly positionals: readonly string[]
  readonly on: (name: keyof F & string) => boolean
  readonly one: (name: keyof F & string) => string | undefined
  readonly all: (name: keyof F & string) => readonly string[]
}

/**
 * Reads a command's arguments.
 * @throws AssayError `usage` for a flag that there is not (with the nearest that there is), or one without its value
 */
export function readArguments<F extends Flags>(args: readonly string[], flags: F): Arguments<F> {
  const options = Object.fromEntries(
    Object.entries({ ...flags, help: HELP }).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  })
  const values = new Map<string, string[]>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const flag = Object.hasOwn(flags, token.name)
      ? flags[token.name]
      : token.name === 'help'
        ? HELP
        : undefined
    if (flag === undefined) throw unknownFlag(token.rawName, Object.keys(flags))
    if (flag.value === undefined && token.value !== undefined)
      throw new AssayError('usage', `--${token.name} takes no value`)
    // `--seed --bail` is a forgotten value, not a seed of that name.
    const missing = token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))
    if (flag.value !== undefined && (missing || token.value === '')) {
      const found = missing ? '' : ', found an empty one'
      throw new AssayError('usage', `--${token.name} needs a value: --${token.name} ${flag.value}${found}`)
    }
    const given = values.get(token.name) ?? []
    if (given.length > 0 && flag.value !== undefined && !flag.many)
      throw new AssayError('usage', `--${token.name} is given twice`)
    values.set(token.name, [...given, token.value ?? ''])
  }
  return {
    positionals,
    on: (name) => values.has(name),
    one: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
  }
}

/** The number of a flag. @throws AssayError `usage` where it is none, or out of bounds */
export function integerOf(
  name: string,
  text: string | undefined,
  least: number,
  most: number,
): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^-?\d+$/.test(text) && value >= least && value <= most) return value
  throw new AssayError('usage', `--${name} takes a whole number from ${least} to ${most}, not \`${text}\``)
}

/** The lines that describe flags, in two columns. */
export function describeFlags(flags: Flags): string {
  const rows = Object.entries({ ...flags, help: HELP }).map(([name, { value, help }]) => [
    `  --${name}${value === undefined ? '' : ` ${value}`}`,
    help,
  ])
  const width = Math.max(...rows.map(([left = '']) => left.length)) + 2
  return rows.map(([left = '', right]) => `${left.padEnd(width)}${right}`).join('\n')
}

const HELP: Flag = { help: 'show this' }

function unknownFlag(rawName: string, known: readonly string[]): AssayError {
  const name = rawName.replace(/^-+/, '')
  // `--password` is no typing error, but `--password-stdin` is what was wanted.
  const near = nearest(name, [...known, 'help']) ?? known.find((other) => other.startsWith(`${name}-`))
  const hint = near === undefined ? '`--help` lists what there is' : `did you mean \`--${near}\`?`
  return new AssayError('usage', `there is no flag \`${rawName}\`: ${hint}`)
}
