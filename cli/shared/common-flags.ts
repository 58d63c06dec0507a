import type { AdviceOptions } from '../../spec/load/advice.js'
import { loadSpecification } from '../../spec/load/specification.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { parseShard, type Shard } from '../../spec/model/selection.js'
import type { Specification } from '../../spec/model/specification.js'
import { type Flag, type Flags, integer } from './arguments.js'
import type { WaiverArguments, Waivers } from './waivers.js'

/** The flag of every command that takes the user's own cases. */
export const CASES_FLAG = {
  value: 'DIR',
  help: 'add your own cases and rules from the YAML and JSON files in a folder',
} as const

/** What is said of a service without a target file, besides the user name. */
export const ACCOUNT_FLAGS = {
  'password-stdin': { help: 'read the password from the first line of standard input' },
  'token-lifetime': { value: 'S', help: 'lifetime of a token in seconds (default: 1209600, 14 days)' },
  'includes-user-id': { help: 'the service is configured to add userId' },
} as const satisfies Flags

export const PROFILES = ['katana', 'rfc6749', 'security']

export const PROFILE_FLAG = {
  value: 'NAME',
  many: true,
  help: `judge a profile besides, as advice: ${PROFILES.join(', ')}`,
  option: 'profiles',
} as const satisfies Flag

/** The flags that say what is judged besides, and what of it gates. */
export const ADVICE_FLAGS = {
  profile: PROFILE_FLAG,
  gate: { value: 'NAME', many: true, help: 'judge a profile, and fail for its rules too', option: 'gate' },
  requirements: {
    value: 'VERSION',
    help: 'gate on the rules and cases of this release; later ones are advice',
    option: 'requirements',
  },
} as const satisfies Flags

/** The profile that an id is of: of a case that is repeated, without that flag. */
export function profileOf(id: string | undefined): readonly string[] {
  return PROFILES.filter((name) => id?.startsWith(`${name}:`))
}

/**
 * The specification, with the cases of the folder, if given, and with profiles.
 * @throws AssayError where the cases are not valid, or there is no such profile
 */
export async function specificationWith(
  folder: string | undefined,
  advice: AdviceOptions = {},
): Promise<Specification> {
  const base = await ownCases(loadSpecification(), folder)
  const { profiles = [], gate = [], requirements } = advice
  if (profiles.length + gate.length === 0 && requirements === undefined) return base
  return (await import('../../spec/load/advice.js')).withAdvice(base, advice)
}

async function ownCases(base: Specification, folder: string | undefined): Promise<Specification> {
  if (folder === undefined) return base
  const { withExtraCases } = await import('../../spec/check/extra-cases.js')
  return withExtraCases(base, folder, async () =>
    (await import('../../conformance/generators/index.js')).GENERATORS.keys(),
  )
}

/** Of a run that draws inputs. */
export const SEED_FLAG = {
  value: 'N',
  help: 'repeat a run by its seed',
  option: 'seed',
  parse: integer(-(2 ** 31), 2 ** 31 - 1),
} as const satisfies Flag

/** What `merge` joins; each command says by what it divides. */
export const SHARD_FLAG = {
  value: 'I/N',
  option: 'shard',
  parse: readShard,
} as const satisfies Omit<Flag, 'help'>

/** @throws AssayError `usage` where shards would not be of one run */
export function refuseShardWithoutSeed(args: { readonly on: (name: 'shard' | 'seed') => boolean }): void {
  if (args.on('shard') && !args.on('seed'))
    throw new AssayError(
      'usage',
      '--shard needs --seed N, the same for every shard: `merge` joins shards of one seed',
    )
}

function readShard(text: string): Shard {
  const shard = parseShard(text)
  if (shard !== undefined) return shard
  throw new AssayError('usage', `--shard takes I/N, part I of N, such as 1/4, not \`${text}\``)
}

/** The flags of a baseline; several commands have them. */
export const WAIVER_FLAGS = {
  baseline: { value: 'FILE', help: 'known failures, which do not fail the run until a date' },
  'update-baseline': { help: 'write the failures of this run to the baseline' },
} as const satisfies Flags

const NO_BASELINE: Waivers = {
  isKnown: () => false,
  files: [],
  apply: (report) => ({ report, stale: [], save: () => undefined }),
}

/** What the baseline says, if one is named. @throws AssayError where it cannot be read, or is not named */
export async function waiversOf(args: WaiverArguments): Promise<Waivers> {
  // The YAML parser is slow to load, and few runs need it.
  const isGiven = args.on('baseline') || args.on('update-baseline')
  return isGiven ? (await import('./waivers.js')).readWaivers(args, new Date()) : NO_BASELINE
}
