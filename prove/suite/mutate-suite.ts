/**
 * `npm run prove:suite`: takes away each expectation of the YAML files, and changes each decision of the judge, and each on
 * clients, one at a time, and expects some mutant, variant or planted client to be judged otherwise then. What survives is listed, and must be justified in
 * `prove/suite/survivors.yaml`. Arguments, if any, are texts: only sites whose id has one of them.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { loadSpecification } from '../../spec/load/specification.js'
import { idOf, JUDGE_SITES } from '../jobs/judge-sites.js'
import { Pool } from '../jobs/pool.js'
import { catchMutants } from './caught.js'
import { CLIENT_SITES, mutateClients } from './clients/mutate-clients.js'
import { expectationSites } from './expectation-sites.js'
import { mutateExpectations } from './mutate-expectations.js'
import { mutateJudge } from './mutate-judge.js'

const SPECIFICATION = fileURLToPath(new URL('../../spec', import.meta.url))
const SURVIVORS = new URL('./survivors.yaml', import.meta.url)

const startedAt = performance.now()
const seconds = (): string => `${Math.round((performance.now() - startedAt) / 1000)} s`
const wanted = process.argv.slice(2)
const isWanted = (id: string): boolean => wanted.length === 0 || wanted.some((text) => id.includes(text))

using pool = new Pool(availableParallelism())
const escaped: string[] = []
const caught = await catchMutants(pool, ({ id }) => {
  escaped.push(id)
  console.log(
    `not caught by the rules that it violates, and left out: ${id} (\`token-assay prove\` says why)`,
  )
})
console.log(`${caught.length} mutants caught by the suite as it is (${seconds()})`)

const expectations = expectationSites(SPECIFICATION).filter(({ id }) => isWanted(id))
const decisions = JUDGE_SITES.filter((site) => isWanted(idOf(site)))
const ofClients = CLIENT_SITES.filter(({ id }) => isWanted(id))
const results = [
  ...(await mutateExpectations(expectations, caught, pool)),
  ...(await mutateJudge(decisions, caught, loadSpecification(), pool)),
  ...(await mutateClients(ofClients, pool.width, (line) => {
    escaped.push(line)
    console.log(`not judged by the rules that it breaks: ${line}`)
  })),
]
/** Why it is right that no mutant notices, by the site's id. */
const justified = new Map(Object.entries<string>(parse(readFileSync(SURVIVORS, 'utf8'))))
const survivors = results.filter(({ noticedBy }) => noticedBy === undefined)
const unjustified = survivors.filter(({ id }) => !justified.has(id))
const known = new Set(results.map(({ id }) => id))
const gone = wanted.length > 0 ? [] : [...justified.keys()].filter((id) => !known.has(id))
if (wanted.length > 0)
  for (const { id, noticedBy } of results) console.log(`  ${id}: ${noticedBy ?? 'SURVIVES'}`)
for (const { id } of unjustified) console.log(`survives: ${id}`)
for (const id of gone) console.log(`justified, and is no site any more: ${id}`)
// Perhaps by chance: this fails nothing.
for (const { id, noticedBy } of results)
  if (noticedBy !== undefined && justified.has(id)) console.log(`justified, and ${noticedBy} notices: ${id}`)
console.log(
  `${expectations.length} expectations, ${decisions.length} decisions of the judge, ${ofClients.length} on clients: ${results.length - survivors.length} noticed, ` +
    `${survivors.length - unjustified.length} justified, ${unjustified.length} not (${seconds()})`,
)
if (escaped.length + unjustified.length + gone.length > 0) process.exitCode = 1
