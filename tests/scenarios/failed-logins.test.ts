import t from 'tap'
import { type AssessOptions, assess } from '../../conformance/assess/assess.js'
import { alice, bob, quick, startService } from '../../conformance/fixtures/service.js'
import type { TargetInput } from '../../conformance/target/target-input.js'
import { renderConsole } from '../../reports/formats/console/console.js'
import type { Report } from '../../spec/model/report.js'
import { startAccountService } from '../fixtures/account-service.js'

const logins: AssessOptions = { seed: 1, runs: 20, only: ['4.1/wrong-password', '4.1/unknown-user', '8-R1'] }

function notGreen(report: Report): readonly string[] {
  return report.results.flatMap(({ case: id, outcome, reason }) =>
    outcome === 'failed' || outcome === 'cantTell' ? [`${id}: ${outcome} ${reason ?? ''}`] : [],
  )
}

/** On one line. */
function consoleOf(report: Report): string {
  return renderConsole(report, { color: false, width: 120 }).replaceAll(/\s+/g, ' ')
}

t.test('where accounts can be registered each sees two failed logins at most', async (t) => {
  const service = await startAccountService(t, { locksAfter: 3 })
  const report = await assess(service.target, logins)
  t.strictSame(notGreen(report), [])
  t.strictSame(
    report.limits,
    [
      {
        deployment: 'default',
        setting: '--runs',
        declared: 20,
        needed: 79,
        notTried: [
          '4.1/unknown-user: 12 of 32 fixed inputs',
          '4.1/wrong-password: 8 of 28 fixed inputs',
          '8/account-with-any-user-name: 59 of 79 fixed inputs',
        ],
      },
    ],
    'what fewer runs leave out is named too',
  )
  t.ok(Math.max(...service.failures.values()) <= 2)
  t.notOk(service.failures.has('bob'), 'none on a declared one')
  const wrong = report.results.find(({ case: id }) => id === '4.1/wrong-password')
  t.ok((wrong?.runs ?? 0) > 10, `${wrong?.runs} wrong passwords`)
})

t.test('what the budget leaves out is named, with the value that includes it', async (t) => {
  const many = { ...logins, runs: 100 }
  const { registration: _, ...declared } = (await startAccountService(t)).target
  const [limit] = (await assess(declared, many)).limits
  t.match(limit, { deployment: 'default', setting: 'maxFailedLogins', declared: 20 })
  t.match(limit?.notTried.join(), /4\.1\/wrong-password: \d+ logins/)
  const whole = await assess({ ...declared, maxFailedLogins: limit?.needed ?? 0 }, many)
  t.strictSame(whole.limits, [])
})

t.test(
  'a service that limits failed logins: the cause and the remedy are named, and the remedy helps',
  async (t) => {
    const few = { ...logins, runs: 30 }
    const { registration: _, ...target } = (await startAccountService(t, { limitsAfter: 10 })).target
    const report = await assess(target, few)
    t.match(report.trouble, [
      { rateLimited: Number, statuses: { 429: Number }, limitedAfterFailedLogins: 10 },
    ])
    t.equal(report.verdict, 'inconclusive')
    const shown = consoleOf(report)
    t.match(
      shown,
      /\? The service asked to wait 3600 s, more than the 60 s that a run waits\. It did so after 10 failed logins and not before: declare `maxFailedLogins: 9` to stay below its limit\./,
    )
    t.equal(shown.split('? The service asked to wait 3600 s').length, 2, 'one paragraph for all cases')

    const another = (await startAccountService(t, { limitsAfter: 10 })).target
    const { registration: __, ...same } = another
    const below = await assess({ ...same, maxFailedLogins: 9 }, few)
    t.equal(below.trouble[0]?.rateLimited, 0)
    t.strictSame(notGreen(below), [])
    t.match(below.limits, [{ setting: 'maxFailedLogins', declared: 9, needed: Number }])
  },
)

t.test('accounts that are made and removed are counted', async (t) => {
  const service = await startAccountService(t, { removalStatus: () => 403 })
  const { registration } = service.target
  const cleanUp = { method: 'DELETE', path: '/api/Account/$userName' }
  const report = await assess(
    { ...service.target, ...(registration && { registration: { ...registration, cleanUp } }) },
    { seed: 1, runs: 3, only: ['8/too-short'] },
  )
  const made = new Set(service.removed).size
  t.ok(made > 0)
  t.match(report.accounts, [{ made, removed: 0, cleanUpFailed: made, firstFailure: /: answered 403$/ }])
  t.strictSame(
    report.accounts[0]?.left?.map(({ userName }) => userName).toSorted(),
    [...new Set(service.removed)].toSorted(),
    'the true names',
  )
  t.match(
    consoleOf(report),
    `Accounts: ${made} made, 0 removed; \`cleanUp\` failed for ${made} accounts (first DELETE /api/Account/`,
  )
})

t.test('where the address is the user name, new accounts log in with it', async (t) => {
  const { target } = await startAccountService(t, { addressIsUserName: true })
  const { registration } = target
  const byAddress = registration && { ...registration, loginName: '$email' as const }
  const report = await assess({ ...target, ...(byAddress && { registration: byAddress }) }, logins)
  t.strictSame(notGreen(report), [])
  const without = await assess(target, logins)
  t.match(
    without.rules.find(({ id }) => id === '8-R1'),
    { outcome: 'failed' },
    'not so without it',
  )
})

t.test('where the address is the user name, a second account of it may be refused', async (t) => {
  const { target } = await startAccountService(t, { addressIsUserName: true })
  const registration = {
    ...target.registration,
    loginName: '$email',
    policy: { ...target.registration?.policy, uniqueEmail: false },
  }
  const { rules } = await assess({ ...target, registration } as TargetInput, { only: ['8-unique-email'] })
  t.match(
    rules.find(({ id }) => id === '8-unique-email'),
    { outcome: 'inapplicable' },
  )
})

t.test(
  'deployments that are one service share its accounts: no more than three failed in a row',
  async (t) => {
    const server = await startService(t)
    const target = {
      baseUrl: server.url,
      accounts: [alice, bob],
      deployments: { one: {}, two: {}, three: {} },
    }
    const report = await assess(target, { ...quick, runs: 8 })
    t.strictSame(notGreen(report), [])
    let inARow = 0
    const longest = server.logins
      .filter(({ userName }) => userName === bob.userName)
      .reduce((max, { ok }) => {
        inARow = ok ? 0 : inARow + 1
        return Math.max(max, inARow)
      }, 0)
    t.equal(longest, 3)
  },
)
