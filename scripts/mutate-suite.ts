/**
 * `npm run prove:suite`: takes each expectation of the YAML files away, and switches each decision of the judge, one at a
 * time, and sees that some mutant or variant is then judged otherwise. What nobody notices is listed, and must be justified
 * in `scripts/unnoticed.yaml`. Arguments, if any, are texts that a site's id must hold one of.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { loadSpecification } from '../spec/specification.js'
import { expectationSites } from './mutate-suite/expectation-sites.js'
import { inLanes } from './mutate-suite/in-lanes.js'
import { readJustified } from './mutate-suite/justified.js'
import { mutateExpectations } from './mutate-suite/mutate-expectations.js'
import { mutateJudge } from './mutate-suite/mutate-judge.js'
import { CATCHABLE, type Caught, escapes } from './mutate-suite/subject.js'
import { copySuite } from './mutate-suite/suite-copy.js'
import { SuiteProcess } from './mutate-suite/suite-process.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const JUSTIFIED = fileURLToPath(new URL('./unnoticed.yaml', import.meta.url))
const LANES_EACH = 6

const startedAt = performance.now()
const wanted = process.argv.slice(2)
const isWanted = ({ id }: { readonly id: string }): boolean =>
  wanted.length === 0 || wanted.some((text) => id.includes(text))
const seconds = (): string => `${Math.round((performance.now() - startedAt) / 1000)} s`

const copy = copySuite(ROOT)
const processes = Array.from({ length: availableParallelism() }, () => new SuiteProcess(copy.worker))
const processOf = (lane: number): SuiteProcess => {
  const own = processes[lane % processes.length]
  if (own === undefined) throw new RangeError('there is no process')
  return own
}
try {
  const lanes = processes.length * LANES_EACH
  const runs = await inLanes(CATCHABLE, lanes, async (mutant, lane) => ({
    mutant,
    found: await processOf(lane).assess({ kind: 'mutant', id: mutant.id }),
  }))
  const caught = runs
    .flatMap(({ mutant, found }): readonly Caught[] =>
      found === undefined || escapes(mutant, found) ? [] : [{ mutant, failures: found.failures }],
    )
    .toSorted((a, b) => a.failures.length - b.failures.length)
  console.log(`${caught.length} mutants caught by the suite as it is (${seconds()})`)
  const uncaught = CATCHABLE.filter(({ id }) => !caught.some(({ mutant }) => mutant.id === id))
  for (const { id } of uncaught)
    console.log(`not caught as it claims, and left out: ${id} (\`token-assay prove\` says why)`)

  const expectations = expectationSites(`${ROOT}/spec`).filter(isWanted)
  const judgements = copy.sites.filter(isWanted)
  const verdicts = [
    ...(await mutateExpectations(expectations, caught, processOf, lanes)),
    ...(await mutateJudge(judgements, caught, loadSpecification(), processOf, processes.length)),
  ]
  const justified = readJustified(JUSTIFIED)
  const unnoticed = verdicts.filter(({ noticedBy }) => noticedBy === undefined)
  const unjustified = unnoticed.filter(({ id }) => !justified.has(id))
  const known = new Set(verdicts.map(({ id }) => id))
  const gone = wanted.length > 0 ? [] : [...justified.keys()].filter((id) => !known.has(id))
  if (wanted.length > 0)
    for (const { id, noticedBy } of verdicts) console.log(`  ${id}: ${noticedBy ?? 'NOBODY'}`)
  for (const { id } of unjustified) console.log(`nobody notices: ${id}`)
  for (const id of gone) console.log(`justified, though it is gone: ${id}`)
  // By luck perhaps, so that it fails nothing.
  for (const { id, noticedBy } of verdicts)
    if (noticedBy !== undefined && justified.has(id))
      console.log(`justified, though ${noticedBy} notices: ${id}`)
  console.log(
    `${expectations.length} expectations, ${judgements.length} decisions of the judge: ${verdicts.length - unnoticed.length} noticed, ` +
      `${unnoticed.length - unjustified.length} justified, ${unjustified.length} not (${seconds()})`,
  )
  if (uncaught.length + unjustified.length + gone.length > 0) process.exitCode = 1
} finally {
  for (const own of processes) own[Symbol.dispose]()
  copy[Symbol.dispose]()
}
