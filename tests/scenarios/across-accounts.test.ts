import t from 'tap'
import { assess } from '../../conformance/assess/assess.js'
import { alice, bob, quick, startService } from '../../conformance/fixtures/service.js'
import { specifiedBehaviour } from '../../reference/behaviour.js'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import type { Report } from '../../spec/model/report.js'

const { tokenMembers } = specifiedBehaviour

/** Nothing is declared of the userId but that there is one. */
const accounts = [alice, bob].map(({ userName, password }) => ({ userName, password }))

function failedRules({ rules }: Report): readonly string[] {
  return rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
}

t.test('a token that is given to another account, some hundred grants later, is found', async (t) => {
  let count = 0
  const server = await startService(t, { behaviour: { newAccessToken: () => `token-${count++ % 97}` } })
  const options = { ...quick, runs: 100, only: ['2.1/token-response'] }
  const report = await assess({ baseUrl: server.url, accounts }, options)
  t.same(failedRules(report), ['2.1-access_token'])
  const [result] = report.results.filter(({ outcome }) => outcome === 'failed')
  t.match(
    result?.judgements.find(({ outcome }) => outcome === 'failed'),
    {
      rule: '2.1-access_token',
      message: /^`access_token` of (alice|bob) was also given to (alice|bob)$/,
      expected: 'a different one for each account',
    },
  )
  t.equal(result?.exchanges.length, 2, 'both answers are shown')
})

t.test('one account may get the same token again', async (t) => {
  const server = await startService(t, {
    behaviour: {
      tokenMembers: (grant, kind) =>
        tokenMembers({ ...grant, accessToken: `of-${grant.bearer.userName}` }, kind),
    },
  })
  const report = await assess({ baseUrl: server.url, accounts }, quick)
  t.same(failedRules(report), [])
  t.equal(report.verdict, 'conformant')
})

t.test('a userId that changes once in fifty, or is shared, is found', async (t) => {
  const answers: Readonly<Record<string, (count: number, userId: string) => string>> = {
    changes: (count, userId) => (count % 50 === 49 ? 'another' : userId),
    shared: () => 'the-one-user',
  }
  for (const [what, userIdOf] of Object.entries(answers)) {
    let count = 0
    const server = await startService(t, {
      includesUserId: true,
      behaviour: {
        tokenMembers: (grant, kind) =>
          tokenMembers(
            { ...grant, bearer: { ...grant.bearer, userId: userIdOf(count++, grant.bearer.userId) } },
            kind,
          ),
      },
    })
    const options = { ...quick, runs: 100, only: ['2.1/token-response'] }
    const report = await assess({ baseUrl: server.url, accounts, includesUserId: true }, options)
    t.same(failedRules(report), ['2.1-userId'], what)
  }
})

t.test('an answer to another case is named, and no replay is promised that would not send it', async (t) => {
  const server = await startService(t, {
    behaviour: { tokenType: ({ userName }) => (userName === 'alice' ? 'bearer' : 'Bearer') },
  })
  const registration = { request: REGISTRATION_REQUEST }
  const only = ['2.1/token-response', '2.1/user-name-in-other-case', '8/registration*']
  const target = { baseUrl: server.url, accounts: accounts.slice(0, 1), registration }
  const report = await assess(target, { ...quick, only })
  const result = report.results.find((one) => one.case === '2.1/token-response')
  const { replay, exchanges = [] } =
    result?.judgements.find(({ rule, outcome }) => rule === '2.1-token_type' && outcome === 'failed') ?? {}
  t.equal(replay, undefined)
  const labels = exchanges.map((place) => result?.exchanges[place]?.label)
  t.match(labels, [/ of \d[\d.]*\/[a-z-]+$/])
})
