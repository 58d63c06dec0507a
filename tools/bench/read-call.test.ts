import t from 'tap'
import { readCall } from './read-call.js'

const GROUPS = ['suite', 'start']

t.test('everything is measured unless less is asked for', async (t) => {
  const all = { groups: GROUPS, rounds: 5, quick: false, json: undefined }
  t.strictSame(readCall([], GROUPS), all)
  t.strictSame(readCall(['--quick'], GROUPS), { ...all, rounds: 2, quick: true })
  t.strictSame(readCall(['--quick', '--rounds', '3', '--only', 'start', '--json', 'x'], GROUPS), {
    groups: ['start'],
    rounds: 3,
    quick: true,
    json: 'x',
  })
})

t.test('what will not do is refused', async (t) => {
  t.throws(() => readCall(['--only', 'end'], GROUPS), {
    message: '--only: there is no group end, but suite, start',
  })
  for (const rounds of ['0', '100', 'x', '1.5'])
    t.throws(() => readCall(['--rounds', rounds], GROUPS), {
      message: `--rounds: expected a number from 1 to 99, found ${rounds}`,
    })
  t.throws(() => readCall(['--fast'], GROUPS), /--fast/)
})
