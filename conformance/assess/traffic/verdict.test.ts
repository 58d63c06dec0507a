import { createServer } from 'node:http'
import t from 'tap'
import { findMutant, findVariant } from '../../../prove/jobs/selection.js'
import { startReferenceServer } from '../../../reference/server.js'
import { listen } from '../../../tools/interop/listen.js'
import { alice, bob, quick } from '../../fixtures/service.js'
import { assess } from '../assess.js'
import { failedRules, judged } from './fixtures/exercise.js'
import { declaredAs, start } from './fixtures/start.js'

t.test('a conforming server is green, and every case was exercised', async (t) => {
  const report = await judged(t)
  t.strictSame(failedRules(report), [])
  const open = report.results.filter(({ outcome }) => outcome === 'untested' || outcome === 'cantTell')
  t.strictSame(
    open.map(({ id }) => id),
    [],
  )
})

t.test('servers that differ and conform are green', async (t) => {
  for (const id of ['extra-members', 'pretty-printed', 'chunked', 'cold-start'])
    t.strictSame(failedRules(await judged(t, findVariant(id).behaviour())), [], id)
})

t.test('a server error in answer to a right request breaks a rule once it recurs', async (t) => {
  for (const [times, failed] of [
    [1, []],
    [2, ['4.1-R3']],
  ] as const) {
    let left: number = times
    const report = await judged(t, {
      deliver: (answer, { path }) => ({
        kind: 'answer',
        answer: path.endsWith('/Token') && left-- > 0 ? { status: 500, headers: [], body: '' } : answer,
      }),
    })
    t.strictSame(failedRules(report), failed, `${times}`)
  }
})

t.test('a password that a service may forgive breaks nothing, and one that it may not does', async (t) => {
  const account = { userName: 'ann', password: 'Caf\u00e9-horse-1' }
  const granted = JSON.stringify({ access_token: 'an-opaque-token' })
  const server = await listen(
    createServer((_, response) => void response.setHeader('content-type', 'application/json').end(granted)),
  )
  t.teardown(() => server[Symbol.asyncDispose]())
  const verdictOn = async (password: string) => {
    const declared = declaredAs(server.url, { accounts: [account] })
    const proxy = await start(t, server.url, { declared, only: ['4.1-credentials', '2.1-access_token'] })
    for (const sent of [account.password, password])
      await fetch(`${proxy.url}/Token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'password', username: 'ann', password: sent }),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    await proxy.close()
    return failedRules(await proxy.report())
  }
  const forgiven = [' Café-horse-1 ', 'café-horse-1', 'Cafe\u0301-horse-1', 'Caf\u00e9-horse-1\0\0']
  for (const password of forgiven) t.strictSame(await verdictOn(password), [], JSON.stringify(password))
  for (const password of ['Caf\u00e9-Horse-1', 'Caf\u00e9-horse-', 'Cafe-horse-1'])
    t.strictSame(await verdictOn(password), ['4.1-credentials'], password)
})

t.test('what a token response says is judged by one answer, also of a server error', async (t) => {
  let left = 1
  const report = await judged(t, {
    deliver: (answer, { path }) => ({
      kind: 'answer',
      answer:
        path.endsWith('/Token') && left-- > 0
          ? {
              status: 500,
              headers: answer.headers,
              body: String(answer.body).replace('"bearer"', '"Bearer"'),
            }
          : answer,
    }),
  })
  t.strictSame(failedRules(report), ['2.1-token_type'])
})

/** Of each kind of answer; what `run` must find red is written down beside each mutant. */
const TRIED = [
  'duplicate-member',
  'numeric-access-token',
  'one-token-for-all',
  'capital-bearer',
  'issued-without-dot',
  'success-by-400',
  'expires-in-as-string',
  'user-name-of-the-first',
  'charset-refused',
]

for (const id of TRIED)
  t.test(`the mutant ${id} is red by the same rules as in run`, async (t) => {
    const { behaviour, violates } = findMutant(id)
    const report = await judged(t, behaviour())
    const inPlan = report.rules.map((rule) => rule.id)
    t.strictSame(
      failedRules(report),
      violates.filter((rule) => inPlan.includes(rule)),
    )
  })

t.test('who signs in without being declared is not answered with the name of one that is', async (t) => {
  const { behaviour } = findMutant('user-name-of-the-first')
  t.strictSame(failedRules(await judged(t, {}, { accounts: [alice] })), [])
  t.strictSame(failedRules(await judged(t, behaviour(), { accounts: [alice] })), ['2.1-userName'])
})

t.test('what run finds through the proxy, the proxy finds', async (t) => {
  for (const id of [undefined, 'expires-in-as-string']) {
    const behaviour = id === undefined ? {} : findMutant(id).behaviour()
    await using server = await startReferenceServer({ accounts: [alice, bob], hashing: 'fast', behaviour })
    const proxy = await start(t, server.url, { skip: ['client:*'] })
    const accounts = [alice, bob]
    const ran = await assess(
      { baseUrl: proxy.url, accounts },
      { ...quick, runs: 3, only: ['2.1/token-response', '4.1/*'] },
    )
    await proxy.close()
    const seen = await proxy.report()
    t.strictSame(failedRules(seen), failedRules(ran), id ?? 'conforming')
    t.equal(seen.verdict, ran.verdict)
    for (const { id: result, outcome } of seen.results.filter(({ outcome }) => outcome === 'passed'))
      t.equal(ran.results.find((one) => one.id === result)?.outcome, outcome, result)
  }
})
