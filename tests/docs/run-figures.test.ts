import { readFileSync } from 'node:fs'
import t from 'tap'
import { command as client } from '../../cli/client/client.js'
import { RUN_FLAGS } from '../../cli/run/run-flags.js'
import { GENERATED_ANSWERS } from '../../conformance/assess/client/options.js'
import { plannedLoads } from '../../conformance/assess/suite/planned-load.js'
import { createRunContext } from '../../conformance/drivers/send/session/run-context.js'
import { amountsOf } from '../../conformance/plan/effort.js'
import { planRun } from '../../conformance/plan/plan.js'
import { resolveTarget } from '../../conformance/target/target.js'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import { loadSentence } from '../../reports/formats/shared/load-sentence.js'
import type { Effort } from '../../spec/model/selection.js'

const page = (name: string) =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')

/** As a run announces it. */
function announced(effort: Effort, registers = true): string {
  const target = resolveTarget({
    baseUrl: 'http://127.0.0.1:5000',
    accounts: [
      { userName: 'alice', password: 'Alice-and-1-password' },
      { userName: 'bob', password: 'Bob-and-1-password' },
    ],
    ...(registers
      ? {
          registration: {
            request: REGISTRATION_REQUEST,
            cleanUp: { method: 'DELETE', path: '/accounts/$userName' },
          },
        }
      : {}),
  })
  const run = createRunContext(target, { effort })
  run.end()
  const [load] = plannedLoads(run, planRun(run.specification, target, run))
  if (load === undefined) throw new Error('nothing is planned')
  return loadSentence(load.deployment, load)
}

const requestsOf = (effort: Effort, registers = true) =>
  /up to ([\d,]+) requests/.exec(announced(effort, registers))?.[1]

t.test('the pages on a run quote what a run announces', async (t) => {
  t.match(page('what-a-run-does'), `token-assay: ${announced('normal')} `)
  t.match(
    page('what-a-run-does'),
    `up to ${requestsOf('normal')} where \`registration\` is declared, ${requestsOf('normal', false)} where it is not`,
  )
  const rows = page('run').split('| `')
  for (const effort of ['quick', 'normal', 'thorough'] as const)
    t.match(
      rows.find((row) => row.startsWith(`${effort}\``)),
      `up to ${requestsOf(effort)} requests`,
      effort,
    )
})

t.test('every page and help has the same amounts', async (t) => {
  const { inputs, sequences } = amountsOf('thorough', undefined)
  t.match(page('run'), `${inputs} inputs of each case, ${sequences} sequences of registrations`)
  t.match(RUN_FLAGS.effort.help, `thorough: ${inputs} inputs of each case`)
  const { drawn } = amountsOf('normal', undefined)
  t.match(page('run'), `every near miss of each case and ${drawn} generated inputs`)
  t.match(RUN_FLAGS.runs.help, `near misses and ${drawn} drawn`)
  t.match(page('tutorials/test-your-client'), `instead of ${GENERATED_ANSWERS}`)
  t.match(client.usage, `generated answers (default: ${GENERATED_ANSWERS})`)
})
