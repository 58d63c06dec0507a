import t from 'tap'
import { effortShare, isEnough } from './effort-share.js'
import type { KillMatrix } from './kill-matrix.js'

/** A matrix of mutants that claim `a`, each with what went red. */
function matrixOf(reds: readonly (readonly string[])[], variantRed: readonly string[] = []): KillMatrix {
  const trial = (red: readonly string[]) => ({
    seed: 1,
    verdict: 'nonconformant' as const,
    red,
    durationMs: 1,
  })
  const mutants = reds.map((red, index) => ({
    id: `m${index}`,
    description: '',
    violates: ['a'],
    collateral: ['b'],
    needs: 'default' as const,
    expect: 'failed' as const,
    trials: [trial(red)],
    problems: [],
  }))
  const variant = {
    id: 'v',
    description: '',
    needs: 'default' as const,
    trials: [trial(variantRed)],
    problems: [],
  }
  const suite = { name: '', version: '', specification: '' }
  return { schemaVersion: 1, suite, seeds: [1], rules: [], mutants, variants: [variant], problems: 0 }
}

t.test('three in a hundred mutants may be missed, and no more', async (t) => {
  const hundred = (missed: number) => Array.from({ length: 100 }, (_, at) => (at < missed ? [] : ['a']))
  const share = effortShare(matrixOf(hundred(3)))
  t.match(share, { caught: 97, all: 100, missed: ['m0', 'm1', 'm2'], accusations: [] })
  t.ok(isEnough(share))
  t.notOk(isEnough(effortShare(matrixOf(hundred(4)))))
})

t.test('what goes red where it holds is an accusation', async (t) => {
  t.strictSame(effortShare(matrixOf([['a', 'b']])).accusations, [])
  const accused = effortShare(matrixOf([['a', 'c']], ['d']))
  t.strictSame(accused.accusations, ['c with m0', 'd with v'])
  t.notOk(isEnough(accused))
  t.equal(effortShare(matrixOf([['b']])).caught, 0, 'a claimed rule alone catches it')
})

t.test('what is unavailable is caught where nothing can be judged', async (t) => {
  const [mutant] = matrixOf([[]]).mutants
  const of = (verdict: 'inconclusive' | 'conformant') => ({
    ...matrixOf([]),
    mutants: mutant
      ? [
          {
            ...mutant,
            violates: [],
            expect: 'cantTell' as const,
            trials: [{ seed: 1, verdict, red: [], durationMs: 1 }],
          },
        ]
      : [],
  })
  t.equal(effortShare(of('inconclusive')).caught, 1)
  t.equal(effortShare(of('conformant')).caught, 0)
})
