import t from 'tap'
import { checkGoals, renderGoals } from './check-goals.js'
import { GOALS } from './goals.js'

const goals = {
  fast: { is: 'at most', goal: 2, held: 3, says: 'time' },
  strict: { is: 'at most', goal: 2, says: 'memory' },
  much: { is: 'at least', goal: 10, held: 5, says: 'throughput' },
} as const

function verdicts(figures: Readonly<Record<string, number>>): Readonly<Record<string, string>> {
  return Object.fromEntries(checkGoals(figures, goals).map(({ id, verdict }) => [id, verdict]))
}

t.test('a ratio meets its goal, misses it, or is worse than what it is held to', async (t) => {
  t.strictSame(verdicts({ fast: 2, strict: 2, much: 10 }), { fast: 'met', strict: 'met', much: 'met' })
  t.strictSame(verdicts({ fast: 2.1, much: 9.9 }), { fast: 'missed', much: 'missed' })
  t.strictSame(verdicts({ fast: 3, much: 5 }), { fast: 'missed', much: 'missed' })
  t.strictSame(verdicts({ fast: 3.1, strict: 2.1, much: 4.9 }), {
    fast: 'worse',
    strict: 'worse',
    much: 'worse',
  })
  t.strictSame(verdicts({ strict: Number.NaN }), { strict: 'worse' })
  t.strictSame(verdicts({ other: 99 }), {})
})

t.test('what a ratio is held to is looser than its goal', async (t) => {
  for (const [id, { is, goal, held = goal }] of Object.entries(GOALS))
    t.ok(is === 'at most' ? held >= goal : held <= goal, id)
})

t.test('goals are a table', async (t) => {
  const lines = renderGoals(checkGoals({ fast: 2.104 }, goals)).split('\n')
  t.equal(lines.at(-1), '| time | 2.10 | at most 2 | 3 | missed |')
})
