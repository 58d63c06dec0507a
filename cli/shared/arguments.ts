import { parseArgs } from 'node:util'
import { nearest } from '../../spec/load/nearest.js'
import { AssayError } from '../../spec/model/assay-error.js'

/** One flag of a command: all that is known of it, in one row. */
export interface Flag {
  /** The name of its value in the help; absent for a switch. */
  readonly value?: string
  /** Whether it may be given several times. */
  readonly many?: boolean
  /** The values that it takes, where there are a few: for completion. */
  readonly values?: readonly string[]
  readonly help: string
  /** What other tools call it: suggested where one of them is given. */
  readonly otherNames?: readonly string[]
  /** Reads the value; `name` is the flag's name, for the message. @throws AssayError `usage` */
  readonly parse?: (text: string, name: string) => unknown
  /** The member of the command's options that it sets; see `OptionsOf`. */
  readonly option?: string
}

export type Flags = Readonly<Record<string, Flag>>

type ParsedValue<F> = F extends { readonly parse: (...args: never[]) => infer T } ? T : string
type Value<F> = F extends { readonly many: true }
  ? readonly ParsedValue<F>[]
  : F extends { readonly value: string }
    ? ParsedValue<F>
    : true

/** The values of the given flags that name an `option`, by the name of that option. */
export type OptionsOf<F extends Flags> = {
  readonly [Name in keyof F as F[Name] extends { readonly option: infer Option extends string }
    ? Option
    : never]?: Value<F[Name]>
}

/** The values of the flags that were given, by name. */
export interface Arguments<F extends Flags> {
  readonly positionals: readonly string[]
  readonly on: (name: keyof F & string) => boolean
  readonly one: (name: keyof F & string) => string | undefined
  readonly all: (name: keyof F & string) => readonly string[]
  readonly options: OptionsOf<F>
}

/**
 * Reads a command's arguments.
 * @throws AssayError `usage` for an unknown flag (the message suggests the nearest one), or a missing or wrong value
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
    if (flag === undefined) throw unknownFlag(token.rawName, flags)
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
      throw new AssayError('usage', `--${token.name} may be given only once`)
    values.set(token.name, [...given, token.value ?? ''])
  }
  return {
    positionals,
    on: (name) => values.has(name),
    one: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
    options: optionsOf(flags, values),
  }
}

function optionsOf<F extends Flags>(flags: F, values: ReadonlyMap<string, readonly string[]>): OptionsOf<F> {
  const options: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(flags)) {
    const texts = values.get(name)
    if (flag.option === undefined || texts === undefined) continue
    const parsed = texts.map((text) => (flag.parse === undefined ? text : flag.parse(text, name)))
    options[flag.option] = flag.value === undefined ? true : flag.many ? parsed : parsed[0]
  }
  // The same rows as the type is computed from.
  return options as OptionsOf<F>
}

/** A parser of whole numbers within bounds. */
export function integer(min: number, max: number): (text: string, name: string) => number {
  return (text, name) => wholeNumber(text, `--${name}`, min, max)
}

/** @param called how it was given, for the message @throws AssayError `usage` */
export function wholeNumber(text: string, called: string, min: number, max: number): number {
  const value = Number(text)
  if (/^-?\d+$/.test(text) && value >= min && value <= max) return value
  throw new AssayError('usage', `${called} takes a whole number from ${min} to ${max}, not \`${text}\``)
}

/** The number of a flag, where it was given. @throws AssayError `usage` */
export function integerOf(
  name: string,
  text: string | undefined,
  min: number,
  max: number,
): number | undefined {
  return text === undefined ? undefined : integer(min, max)(text, name)
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

const HELP: Flag = { help: 'show this help' }

function unknownFlag(rawName: string, flags: Flags): AssayError {
  const known = Object.keys(flags)
  const name = rawName.replace(/^-+/, '')
  // `--password` is not a typing error, but the user wanted `--password-stdin`.
  const near =
    known.find((other) => flags[other]?.otherNames?.includes(name)) ??
    nearest(name, [...known, 'help']) ??
    known.find((other) => other.startsWith(`${name}-`))
  const hint = near === undefined ? '`--help` lists all flags' : `did you mean \`--${near}\`?`
  // What is no name may be anything, such as a key.
  const shown = /^--?\w[\w.-]{0,63}$/.test(rawName) ? rawName : `${rawName.slice(0, 10)}…`
  return new AssayError('usage', `unknown flag \`${shown}\`: ${hint}`)
}
