import t, { type Test } from 'tap'
import { type AssessOptions, assess } from '../../conformance/assess/assess.js'
import { alice, startService } from '../../conformance/fixtures/service.js'
import type { TargetInput } from '../../conformance/target/target-input.js'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import type { ReferenceServerOptions } from '../../reference/server.js'
import type { Report } from '../../spec/model/report.js'

const registration = {
  request: REGISTRATION_REQUEST,
}

const LOGINS = ['security:login/user-enumeration', 'security:login/guesses']

/** What a run that is narrowed to some of the profile finds of a service. */
async function judge(
  t: Test,
  only: readonly string[],
  server: ReferenceServerOptions = {},
  target: Partial<TargetInput> = { registration },
  options: AssessOptions = {},
) {
  const service = await startService(t, server)
  const report = await assess(
    { baseUrl: service.url, accounts: [alice], ...target },
    { seed: 1, profiles: ['security'], only: ['4.1/password-grant', ...only], ...options },
  )
  return { report, service, judged: judgedBy(report) }
}

function judgedBy(report: Report) {
  return Object.fromEntries(
    report.results.flatMap(({ judgements }) =>
      judgements.flatMap(({ rule, outcome, reason }) =>
        rule.startsWith('security:') && reason !== 'filtered' ? [[rule, { outcome, reason }]] : [],
      ),
    ),
  )
}

t.test('without registration no declared account is made to fail, and the report says why', async (t) => {
  const { judged, service } = await judge(t, LOGINS, {}, {})
  for (const rule of ['same-answer', 'same-time', 'guesses'])
    t.match(judged[`security:login-${rule}`], { outcome: 'inapplicable', reason: /declare `registration`/ })
  t.strictSame(
    service.logins.filter(({ ok }) => !ok),
    [],
  )
})

t.test(
  'what the budget of failed logins does not allow is not tried, and that is in the limits',
  async (t) => {
    const { judged, report, service } = await judge(t, LOGINS, {}, { registration, maxFailedLogins: 20 })
    for (const rule of ['same-answer', 'same-time', 'guesses'])
      t.match(judged[`security:login-${rule}`], {
        outcome: 'cantTell',
        reason: /^not tried: `maxFailedLogins`/,
      })
    t.match(report.limits, [
      {
        setting: 'maxFailedLogins',
        declared: 20,
        // 30 pairs with wrong passwords, and two of each of four malformed logins.
        notTried: [/user-enumeration: 76 logins/, /guesses: 101 logins/],
      },
    ])
    t.equal(report.verdict, 'conformant', 'advice changes nothing')
    t.strictSame(
      service.logins.filter(({ ok }) => !ok),
      [],
    )
  },
)

t.test(
  'a service without a limit fails one rule, and no known account but its own is guessed at',
  async (t) => {
    const { judged, report, service } = await judge(t, LOGINS)
    t.match(judged, {
      'security:login-same-answer': { outcome: 'passed' },
      'security:login-same-time': { outcome: 'passed' },
      'security:login-guesses': { outcome: 'failed' },
    })
    t.equal(report.verdict, 'conformant')
    t.ok(service.logins.every(({ userName, ok }) => ok || userName !== alice.userName))
    const failed = new Map<string, number>()
    for (const { userName, ok } of service.logins)
      if (!ok && userName !== null) failed.set(userName, (failed.get(userName) ?? 0) + 1)
    t.strictSame(
      [...failed.values()].filter((times) => times > 2),
      [101],
      'but that one, twice at most',
    )
  },
)

t.test('a guess that is to be sent later has met a limit, and is not sent again', async (t) => {
  const failed = new Map<string, number>()
  let limited = 0
  const { judged } = await judge(t, ['security:login/guesses'], {
    behaviour: {
      deliver: (answer, { body }) => {
        const userName = new URLSearchParams(Buffer.from(body).toString()).get('username') ?? ''
        const times = (failed.get(userName) ?? 0) + (`${answer.body}`.includes('invalid_grant') ? 1 : 0)
        failed.set(userName, times)
        if (times <= 100) return { kind: 'answer', answer }
        limited++
        return { kind: 'answer', answer: { ...answer, status: 429, headers: [['Retry-After', '1']] } }
      },
    },
  })
  t.match(judged, { 'security:login-guesses': { outcome: 'passed' } })
  t.equal(limited, 1)
})

t.test('an account that has one token shows nothing of how they are made', async (t) => {
  const { judged } = await judge(t, ['security:token/strength'], {
    behaviour: { newAccessToken: () => 'one' },
  })
  t.match(judged, { 'security:token-strength': { outcome: 'cantTell', reason: /^only 1 different tokens/ } })
})
