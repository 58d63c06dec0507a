import type { AdviceOptions } from '../../spec/load/advice.js'
import { loadSpecification } from '../../spec/load/specification.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { EFFORTS, type Effort, parseShard, type Shard } from '../../spec/model/selection.js'
import type { Specification } from '../../spec/model/specification.js'
import { type Flag, type Flags, integer } from './arguments.js'

/** The flag of every command that takes the user's own cases. */
export const CASES_FLAG = {
  value: 'DIR',
  help: 'add your own cases and rules from the YAML and JSON files in a folder',
} as const

/** Of what real clients send, beside what the suite makes up. */
export const FROM_FLAG = {
  value: 'FILE.har',
  help: 'also send the token requests of a HAR file, with your account in them',
} as const satisfies Flag

/** Which certificates of a service are trusted. */
export const TRUST_FLAGS = {
  ca: { value: 'FILE', help: 'trust the certificate authority in this PEM file' },
  insecure: { help: 'do not check TLS certificates: anyone in between can read the password' },
} as const satisfies Flags

/** What describes a service that has no target file. */
export const SERVICE_FLAGS = {
  'user-name': { value: 'NAME', help: 'the account; its password comes from TOKEN_ASSAY_PASSWORD' },
  'password-stdin': { help: 'read the password from the first line of standard input' },
  'token-lifetime': { value: 'S', help: 'lifetime of a token in seconds (default: 1209600, 14 days)' },
  'includes-user-id': { help: 'the service is configured to add userId' },
  ...TRUST_FLAGS,
} as const satisfies Flags

/** Which cases and rules are judged. */
export const SELECTION_FLAGS = {
  only: {
    value: 'GLOB',
    many: true,
    help: 'judge only cases, results or rules whose id matches; * matches any text',
    option: 'only',
  },
  skip: {
    value: 'GLOB',
    many: true,
    help: 'leave out cases, results or rules whose id matches; wins over --only',
    option: 'skip',
  },
} as const satisfies Flags

export const STRICT_FLAG = {
  help: 'also fail for broken "should" rules and extra members of the token',
  option: 'strict',
} as const satisfies Flag

export const MAX_DURATION_FLAG = {
  value: 'S',
  help: 'stop after this many seconds',
  otherNames: ['timeout'],
  option: 'maxDurationMs',
  parse: (text: string, name: string) => integer(1, 86_400)(text, name) * 1000,
} as const satisfies Flag

export function readEffort(text: string): Effort {
  const effort = EFFORTS.find((one) => one === text)
  if (effort !== undefined) return effort
  throw new AssayError('usage', `--effort takes ${EFFORTS.join(', ')}, not \`${text}\``)
}

/** @param folder the default */
export function outFlag(folder: string) {
  return {
    value: 'DIR',
    otherNames: ['output'],
    help: `folder for report.json and index.html (default: ${folder})`,
  } as const satisfies Flag
}

export const PROFILES = ['katana', 'rfc6749', 'security']

export const PROFILE_FLAG = {
  value: 'NAME',
  values: PROFILES,
  many: true,
  help: `also judge a profile, as advice: ${PROFILES.join(', ')}`,
  option: 'profiles',
} as const satisfies Flag

/** The flags that say what is judged in addition, and which of it gates. */
export const ADVICE_FLAGS = {
  profile: PROFILE_FLAG,
  gate: {
    value: 'NAME',
    values: PROFILES,
    many: true,
    help: 'also judge a profile, and fail for its rules too',
    option: 'gate',
  },
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

/** Pairs of flags that do not go together, and why. */
export type Conflicts<Name extends string> = readonly (readonly [flag: Name, other: Name, why: string])[]

/** @throws AssayError `usage` for flags that do not go together */
export function refuseConflicts<Name extends string>(
  args: { readonly on: (name: Name) => boolean },
  conflicts: Conflicts<NoInfer<Name>>,
): void {
  for (const [flag, other, why] of conflicts)
    if (args.on(flag) && args.on(other))
      throw new AssayError('usage', `${why}: it cannot be used with --${other}`)
}

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
