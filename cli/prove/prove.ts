import { availableParallelism } from 'node:os'
import type { Job } from '../../prove/jobs/job.js'
import { Pool } from '../../prove/jobs/pool.js'
import { profileSpecification } from '../../prove/jobs/run-job.js'
import { findProof, type Selected, selectToProve } from '../../prove/jobs/selection.js'
import { effortShare, isEnough } from '../../prove/matrix/effort-share.js'
import { composeMatrix, type KillMatrix, type Proof } from '../../prove/matrix/kill-matrix.js'
import { renderPage } from '../../prove/matrix/page.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { loadSpecification } from '../../spec/load/specification.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { inParallel } from '../../spec/model/items.js'
import { EFFORTS } from '../../spec/model/selection.js'
import { type Arguments, describeFlags, type Flags, integerOf, readArguments } from '../shared/arguments.js'
import type { Command } from '../shared/command.js'
import { readEffort } from '../shared/common-flags.js'
import { assertWritable, writeAtomic } from '../shared/files.js'
import { RENDER_FLAGS, useColor } from '../shared/outputs.js'
import { isTerminal, print, show } from '../shared/print.js'
import { createProveProgress } from './prove-progress.js'
import { renderMatrix, renderShare } from './render.js'

const FLAGS = {
  mutant: { value: 'ID', many: true, help: 'only this mutant (`list mutants` has them)' },
  profile: { value: 'NAME', help: 'prove the rules of this profile, with its own mutants and variants' },
  variant: { value: 'ID', many: true, help: 'only this benign variant' },
  seed: { value: 'N', help: 'the first seed (default: 1)' },
  seeds: { value: 'N', help: 'how many seeds to run, from the first one up (default: 1)' },
  full: { help: 'every case at the default budget' },
  effort: {
    values: EFFORTS,
    value: 'LEVEL',
    help: 'print the share of the mutants that `run --effort LEVEL` catches',
    parse: readEffort,
    option: 'effort',
  },
  concurrency: { value: 'N', help: 'processes (default: one for each core)' },
  json: { value: 'FILE', help: 'write the kill matrix as data' },
  page: { value: 'FILE', help: 'write the kill matrix as a Markdown page' },
  check: { value: 'FILE', help: 'fail unless the file is that page' },
  quiet: { help: 'no progress; only problems and the verdict' },
  'no-color': RENDER_FLAGS['no-color'],
} as const satisfies Flags

export const command: Command = {
  flags: FLAGS,
  usage: `Usage: token-assay prove [flags]

Proves the suite itself: runs it against every mutant of the reference server, each wrong
on purpose in one decision, and against every benign variant, which differs and conforms.
Prints which rule catches which mutant.

${describeFlags(FLAGS)}

Exit codes: 0 every mutant fails exactly the rules that it breaks, every variant passes,
            and every rule has a mutant; with --effort, 97 % of the mutants are caught
            1 one of these does not hold
            2 misuse · 70 a bug of token-assay
`,
  execute: prove,
}

async function prove(argv: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  const args = readArguments(argv, FLAGS)
  if (args.positionals.length > 0)
    throw new AssayError('usage', 'prove takes flags only: --mutant ID, --variant ID')
  const profile = args.one('profile')
  const selected = selectToProve(args.all('mutant'), args.all('variant'), profile)
  const isWhole = args.all('mutant').length + args.all('variant').length === 0
  const seeds = seedsOf(args)
  const processes = integerOf('concurrency', args.one('concurrency'), 1, 256) ?? availableParallelism()
  const page = readPage(args.one('check'))
  assertWritable([args.one('json') ?? [], args.one('page') ?? []].flat())

  const { effort } = args.options
  const own = { ...(profile && { profile }), ...(effort && { effort }) }
  const jobs = jobsOf(selected, seeds, { full: args.on('full'), ...own })
  const isTTY = isTerminal('stderr') && !args.on('quiet')
  const progress = createProveProgress({ write: (text) => show(text, 'stderr') }, isTTY, jobs.length)
  using pool = new Pool(processes)
  const assessments = await inParallel(jobs, pool.width, async (job) => {
    const found = await pool.run(job)
    progress.finished()
    return found
  }).finally(progress.done)
  const matrix = composeMatrix({
    ...rulesToProve(profile),
    selected,
    seeds,
    assessments,
    isWhole,
  })
  write(matrix, args)
  const color = useColor(args)
  const durationMs = performance.now() - startedAt
  if (effort !== undefined) {
    const share = effortShare(matrix)
    show(renderShare(share, effort, durationMs), 'stdout', color)
    return isEnough(share) ? 0 : 1
  }
  show(renderMatrix(matrix, { color, quiet: args.on('quiet'), durationMs }), 'stdout', color)
  return isCurrent(page, matrix) && matrix.problems === 0 ? 0 : 1
}

function rulesToProve(profile: string | undefined): Pick<Proof, 'specification' | 'shownElsewhere'> {
  if (profile === undefined) return { specification: loadSpecification() }
  const { hash, requirements } = profileSpecification(profile)
  return {
    specification: { hash, requirements: requirements.filter(({ id }) => id.startsWith(`${profile}:`)) },
    shownElsewhere: Object.keys(findProof(profile).shownElsewhere),
  }
}

type ProveArguments = Arguments<typeof FLAGS>

const LAST_SEED = 2 ** 31 - 1

function seedsOf(args: ProveArguments): readonly number[] {
  const first = integerOf('seed', args.one('seed'), -(2 ** 31), LAST_SEED) ?? 1
  const times = integerOf('seeds', args.one('seeds'), 1, 1000) ?? 1
  if (first + times - 1 > LAST_SEED)
    throw new AssayError('usage', `--seeds ${times} from ${first} up goes beyond the last seed, ${LAST_SEED}`)
  return Array.from({ length: times }, (_, index) => first + index)
}

/** The longest first, so that none runs alone at the end. */
function jobsOf(
  { mutants, variants }: Selected,
  seeds: readonly number[],
  common: Pick<Job, 'full' | 'profile' | 'effort'>,
): readonly Job[] {
  const slow = mutants.filter(({ expect }) => expect === 'cantTell')
  const usual = mutants.filter(({ expect }) => expect !== 'cantTell')
  return seeds.flatMap((seed) => [
    ...slow.map(({ id }): Job => ({ kind: 'mutant', id, seed, ...common })),
    ...variants.map(({ id }): Job => ({ kind: 'variant', id, seed, ...common })),
    ...usual.map(({ id }): Job => ({ kind: 'mutant', id, seed, ...common })),
  ])
}

function write(matrix: KillMatrix, args: ProveArguments): void {
  const json = args.one('json')
  const page = args.one('page')
  if (json !== undefined) writeAtomic(json, `${JSON.stringify(matrix, null, 2)}\n`)
  if (page !== undefined) writeAtomic(page, renderPage(matrix))
}

interface CheckedPage {
  readonly file: string
  readonly text: string
}

/** @throws AssayError `missing-file`, before minutes are spent */
function readPage(file: string | undefined): CheckedPage | undefined {
  if (file === undefined) return undefined
  return { file, text: readTextFile(file, `the page that \`prove --page ${file}\` writes`) }
}

function isCurrent(page: CheckedPage | undefined, matrix: KillMatrix): boolean {
  if (page === undefined || page.text === renderPage(matrix)) return true
  print(`${page.file} is out of date: --page ${page.file} writes it again`)
  return false
}
