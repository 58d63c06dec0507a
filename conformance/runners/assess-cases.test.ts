import t from 'tap'
import { alice, startService } from '../fixtures/service.js'
import { assessCases } from './assess-cases.js'

t.test('a run that judges nothing, or is stopped, is red by itself', async (t) => {
  const server = await startService(t)
  const target = { baseUrl: server.url, accounts: [alice] }
  for (const [options, why] of [
    [{ skip: ['*'] }, /the verdict is inconclusive$/],
    [{ maxDurationMs: 1 }, /the verdict is inconclusive\. The run stopped early/],
  ] as const) {
    const { cases } = await assessCases(target, options)
    const red = cases.filter(({ judgements }) => judgements.some(({ isFailure }) => isFailure))
    t.strictSame(
      red.map(({ title }) => title),
      ['the run'],
    )
    t.throws(() => red[0]?.verify(), { message: why })
  }
  const { cases } = await assessCases(target, { only: ['2.1/token-response'] })
  t.notOk(
    cases.some(({ title }) => title === 'the run'),
    'a part of it alone may be asked for',
  )
})
