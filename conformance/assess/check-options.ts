import type { AdviceOptions } from '../../spec/load/advice.js'
import { didYouMean } from '../../spec/load/nearest.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { RunOptions } from '../drivers/send/session/run-context.js'
import type { AssayClientOptions } from './client/options.js'

/** What a caller of `assess` may set. */
export type AssessOptions = Omit<
  RunOptions,
  'specification' | 'onPlan' | 'onLogin' | 'onAccount' | 'shareOf' | 'shrinks' | 'checks'
> &
  AdviceOptions

const isList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
const isAmount = (value: unknown): boolean => Number.isFinite(value) && Number(value) >= 0
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
const isAny = (): boolean => true

const LIST = [isList, 'a list of texts'] as const
const wholeUpTo = (max: number) =>
  [(value: unknown) => isCount(value) && Number(value) <= max, `a whole number from 1 to ${max}`] as const
const COUNT = [isCount, 'a whole number of at least 1'] as const
// As the flags allow: a timer of Node's that is longer than 24 days ends at once.
const MAX_MS = 86_400_000
const DURATION = [
  (value: unknown) => isAmount(value) && Number(value) <= MAX_MS,
  `a number from 0 to ${MAX_MS}`,
] as const
const SEED = [(value: unknown) => Number.isSafeInteger(value), 'a whole number'] as const
const OBJECT = [isObject, 'an object'] as const
const SIGNAL = [(value: unknown) => value instanceof AbortSignal, 'an `AbortSignal`'] as const
const FLAG = [(value: unknown) => typeof value === 'boolean', 'true or false'] as const
const CALLBACK = [(value: unknown) => typeof value === 'function', 'a function'] as const
const TEXT = [(value: unknown) => typeof value === 'string', 'a text'] as const
const ANY = [isAny, ''] as const
const oneOf = (...names: readonly string[]) =>
  [(value: unknown) => names.some((name) => name === value), `one of ${names.join(', ')}`] as const

type OptionCheck = readonly [is: (value: unknown) => boolean, words: string]

type OptionChecks<Options> = Readonly<Record<keyof Options, OptionCheck>>

export const ASSESS_OPTIONS: OptionChecks<AssessOptions> = {
  ...{ only: LIST, skip: LIST, deployments: LIST, profiles: LIST, gate: LIST, command: LIST },
  ...{ runs: COUNT, concurrency: wholeUpTo(256), maxDurationMs: DURATION },
  ...{ strict: FLAG, bail: FLAG },
  ...{ isKnown: CALLBACK, onResult: CALLBACK, onFailing: CALLBACK },
  ...{ onRequest: CALLBACK, onExchange: CALLBACK, onWait: CALLBACK },
  effort: oneOf('quick', 'normal', 'thorough'),
  keepExchanges: oneOf('all', 'failed', 'none'),
  ...{ shard: OBJECT, replay: OBJECT, signal: SIGNAL },
  ...{ seed: SEED, chosenBy: ANY, requirements: ANY },
}

export const ASSAY_CLIENT_OPTIONS: OptionChecks<AssayClientOptions> = {
  ...{ only: LIST, skip: LIST, shard: OBJECT, signal: SIGNAL, name: TEXT },
  ...{
    runs: COUNT,
    concurrency: wholeUpTo(256),
    timeoutMs: wholeUpTo(MAX_MS),
    patienceMs: DURATION,
    seed: SEED,
  },
  ...{ strict: FLAG, longRunning: FLAG },
}

/**
 * For callers in plain JavaScript: an option with a typing error would be none.
 * @throws AssayError `usage` naming the option
 */
export function checkOptions<Options extends object>(options: Options, checks: OptionChecks<Options>): void {
  if (!isObject(options)) throw new AssayError('usage', 'the options: expected an object')
  for (const [name, value] of Object.entries(options)) {
    const known = Object.hasOwn(checks, name) ? checks[name as keyof Options] : undefined
    if (known === undefined)
      throw new AssayError(
        'usage',
        `there is no option \`${name}\`: ${didYouMean(name, Object.keys(checks))}`,
      )
    const [is, words] = known
    // A key may be there without a value.
    if (value !== undefined && !is(value))
      throw new AssayError('usage', `option \`${name}\`: expected ${words}`)
  }
}
