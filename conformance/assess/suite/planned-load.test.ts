import t from 'tap'
import { startAccountService } from '../../../tests/fixtures/account-service.js'
import type { DeploymentLoad } from '../../plan/plan.js'
import { resolveTarget } from '../../target/target.js'
import { assessTarget } from '../assess-target.js'

t.test('a run sends no more than it announces, and not much less', async (t) => {
  const { target } = await startAccountService(t)
  const { registration: _, ...withoutRegistration } = target
  let quickRequests: number | undefined
  for (const [given, options] of [
    [target, { runs: 1 }],
    [target, { runs: 10 }],
    [target, { effort: 'quick' }],
    [target, { effort: 'normal' }],
    [withoutRegistration, { runs: 10 }],
  ] as const) {
    let announced: readonly DeploymentLoad[] = []
    const logins: number[] = []
    const { trouble, accounts } = await assessTarget(resolveTarget(given), {
      ...options,
      seed: 1,
      onPlan: (_plan, _start, loads) => {
        announced = loads
      },
      onLogin: (durationMs) => logins.push(durationMs),
    })
    const [load] = announced
    const requests = trouble[0]?.requests ?? 0
    t.ok(logins.length > 0 && logins.length < requests && logins.every((durationMs) => durationMs > 0))
    if ('effort' in options && options.effort === 'quick') quickRequests = load?.requests
    if ('effort' in options && options.effort === 'normal') t.equal(load?.quickRequests, quickRequests)
    const made = accounts[0]?.made ?? 0
    t.ok(
      load && requests <= load.requests && load.requests < 2 * requests,
      `${requests} of ${load?.requests} requests`,
    )
    t.ok(
      load && made <= load.accounts && load.accounts <= 2 * made + 20,
      `${made} of ${load?.accounts} accounts`,
    )
  }
})

t.test('cases that harm no account share one', async (t) => {
  const { target, registrations } = await startAccountService(t)
  const { results, verdict } = await assessTarget(resolveTarget(target), {
    only: ['4.1/method-*', '4.1/no-password', '4.1/empty-username'],
  })
  t.equal(verdict, 'conformant')
  t.equal(results.filter(({ outcome }) => outcome === 'passed').length, 7)
  t.equal(registrations.length, 3, 'and one for each case that fails a login')
})
