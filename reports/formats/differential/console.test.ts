import t from 'tap'
import { sampleDifferential } from '../../fixtures/sample-differential.js'
import { renderDifferential } from './console.js'

t.test('quiet says why nothing is known', async (t) => {
  const report = {
    ...sampleDifferential,
    findings: [],
    verdict: 'inconclusive' as const,
    inconclusive: ['new cannot be reached'],
    flaky: [{ title: 'plain login: new 200, old 400', request: 'plain login' }],
    clients: [{ name: 'mobile', obstacle: 'it does not start' }],
  }
  t.equal(
    renderDifferential(report, { color: false, width: 80, quiet: true }),
    [
      'Flaky: the new service alternates between two answers: plain login: new 200, old 400',
      'Inconclusive: new cannot be reached',
      'Clients that could not be tried: `mobile`: it does not start',
      '? Inconclusive, for 2 reasons.',
      '',
    ].join('\n'),
  )
})
