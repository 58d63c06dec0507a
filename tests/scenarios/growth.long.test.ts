import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { assessTarget, type RunOptions } from '../../conformance/assess/assess-target.js'
import type { KeepExchanges } from '../../conformance/drivers/send/session/run-context.js'
import { resolveTarget } from '../../conformance/target/target.js'
import { loadSpecification } from '../../spec/load/specification.js'
import type { Report } from '../../spec/model/report.js'
import type { Specification } from '../../spec/model/specification.js'
import { serve } from '../fixtures/serve.js'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Answers that are worth forgetting. */
const PADDING = '-'.repeat(8000)
const account = { userName: 'alice', password: 'Correct-horse-1' }

let requests = 0
const address = await serve(t, (request, response) => {
  requests += 1
  const body = { access_token: `token-${requests}`, token_type: 'bearer', padding: PADDING }
  request.resume().on('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json;charset=UTF-8' })
    response.end(JSON.stringify(body))
  })
})
const baseUrl = `http://${address}`

interface Size {
  readonly deployments: number
  readonly cases: number
  /** What each case sends; the last is judged. */
  readonly exchanges: number
}

interface Growth {
  readonly report: Report
  readonly requests: number
  readonly cpuMicroseconds: number
  /** The most that was in use at a tenth of the run, or in the end with the report. */
  readonly heapBytes: number
}

const base = loadSpecification()

/** So many grants that differ in their ids alone. */
function specificationOf({ cases, exchanges }: Size): Specification {
  const subject = base.cases.find(({ id }) => id === '1/exchange')
  const [step] = subject?.steps ?? []
  const { send } = step ?? {}
  if (subject === undefined || step === undefined || send === undefined)
    throw new Error('there is no case 1/exchange')
  const steps = [...Array.from({ length: exchanges - 1 }, () => ({ send, expect: [] })), step]
  const copies = Array.from({ length: cases }, (_, at) => ({ ...subject, id: `${subject.id}-${at}`, steps }))
  return { ...base, cases: copies, observations: [] }
}

async function run(size: Size, options: RunOptions, measuresHeap = false): Promise<Growth> {
  const deployments = Object.fromEntries(Array.from({ length: size.deployments }, (_, at) => [`d${at}`, {}]))
  const target = resolveTarget({ baseUrl, accounts: [account], deployments })
  const specification = specificationOf(size)
  const all = size.deployments * size.cases
  let results = 0
  let heapBytes = 0
  const heap = (): void => {
    collect()
    heapBytes = Math.max(heapBytes, process.memoryUsage().heapUsed - heapBefore)
  }
  collect()
  const heapBefore = process.memoryUsage().heapUsed
  const requestsBefore = requests
  const cpuBefore = process.cpuUsage()
  const onResult = (): void => {
    results += 1
    if (measuresHeap && results % Math.ceil(all / 10) === 0) heap()
  }
  const report = await assessTarget(target, { ...options, specification, seed: 1, onResult })
  const { user, system } = process.cpuUsage(cpuBefore)
  if (measuresHeap) heap()
  return { report, requests: requests - requestsBefore, cpuMicroseconds: user + system, heapBytes }
}

t.test('time grows with what is sent, and no faster', async (t) => {
  const few: Size = { deployments: 8, cases: 25, exchanges: 1 }
  const many: Size = { ...few, deployments: 80 }
  await run(few, {})
  for (const keepExchanges of ['all', 'none'] as const) {
    const [less, more] = [await run(few, { keepExchanges }), await run(many, { keepExchanges })]
    t.equal(more.report.counts.passed, 80 * 25)
    t.ok(more.requests >= 80 * 25 && more.requests <= 80 * 26, 'one each, and one login for each deployment')
    const times = more.cpuMicroseconds / less.cpuMicroseconds
    t.ok(times < 20, `ten times the exchanges cost ${times.toFixed(1)} times the CPU, kept: ${keepExchanges}`)
  }
})

t.test('memory does not grow with exchanges that are not kept', async (t) => {
  const few: Size = { deployments: 10, cases: 10, exchanges: 2 }
  const many: Size = { ...few, exchanges: 20 }
  /** Of a further answer. Few cases are under way at once: what they hold is not kept. */
  const grows = async (keepExchanges: KeepExchanges): Promise<number> => {
    const options = { keepExchanges, concurrency: 2 }
    const [less, more] = [await run(few, options, true), await run(many, options, true)]
    t.equal(more.report.counts.passed, 100)
    t.ok(more.requests >= 2000, 'they were sent')
    return (more.heapBytes - less.heapBytes) / (1800 * PADDING.length)
  }
  await run(few, { concurrency: 2 }, true)
  for (const keepExchanges of ['none', 'failed'] as const) {
    const share = await grows(keepExchanges)
    t.ok(share < 0.25, `${(share * 100).toFixed(1)} % of each further answer is kept: ${keepExchanges}`)
  }
  const all = await grows('all')
  t.ok(all > 0.5, `what is kept is seen: ${(all * 100).toFixed(0)} %`)
})
