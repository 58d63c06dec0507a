import t from 'tap'
import { assessVariants } from './assess-variants.js'
import type { Assessment, Job } from './job.js'
import { variantProblems } from './matrix/claims.js'

const job: Job = { kind: 'variant', id: 'a', besides: ['b', 'c'], seed: 1, full: false }

/** Runs that find something wrong where `isWrong` says so of what is in the server. */
async function assessed(asked: Job, isWrong: (ids: readonly string[]) => boolean) {
  const ran: (readonly string[])[] = []
  const run = async ({ kind, id, besides = [], seed }: Job): Promise<Assessment> => {
    ran.push([id, ...besides])
    const wrong = isWrong([id, ...besides])
    return {
      kind,
      id,
      besides,
      seed,
      verdict: wrong ? 'nonconformant' : 'conformant',
      rules: { '4.1-R1': { outcome: wrong ? 'failed' : 'passed', because: '4.1/x: no' } },
      failures: [],
      counterexamples: {},
      durationMs: 1,
    }
  }
  const found = await assessVariants(asked, { run })
  return { ran, problems: found.map((one): [string, ...string[]] => [one.id, ...variantProblems(one)]) }
}

t.test('where all is right in one server, each is', async (t) => {
  t.strictSame(await assessed(job, () => false), { ran: [['a', 'b', 'c']], problems: [['a'], ['b'], ['c']] })
})

t.test('where one is guilty, it alone is named', async (t) => {
  const { ran, problems } = await assessed(job, (ids) => ids.includes('b'))
  t.strictSame(ran, [['a', 'b', 'c'], ['a'], ['b'], ['c']])
  t.strictSame(problems, [['a'], ['b', '4.1-R1 is failed (4.1/x: no)'], ['c']])
})

t.test('where each is right alone, all are named, with those beside them', async (t) => {
  const { problems } = await assessed(job, (ids) => ids.includes('a') && ids.includes('c'))
  t.strictSame(problems, [
    ['a', 'with b and c in one server: 4.1-R1 is failed (4.1/x: no)'],
    ['b', 'with a and c in one server: 4.1-R1 is failed (4.1/x: no)'],
    ['c', 'with a and b in one server: 4.1-R1 is failed (4.1/x: no)'],
  ])
})

t.test('one that was alone is not tried again', async (t) => {
  const { ran, problems } = await assessed({ ...job, besides: [] }, () => true)
  t.strictSame(ran, [['a']])
  t.strictSame(problems, [['a', '4.1-R1 is failed (4.1/x: no)']])
})
