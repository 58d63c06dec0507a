import t from 'tap'
import type { ControlResult } from './session.js'
import { SharedControls } from './shared-controls.js'

/** Controls that are answered when the test says so, each as the test says. */
function setUp() {
  const answers: ((problem?: string) => void)[] = []
  const send = (): Promise<ControlResult> =>
    new Promise((resolve) => {
      answers.push((problem) =>
        resolve({ sent: { label: `${answers.length}` } as never, problem, stopped: false }),
      )
    })
  return { answers, send, controls: new SharedControls<ControlResult>() }
}

const settled = (): Promise<void> => new Promise(setImmediate)

t.test('one control is before all the cases that begin in the same moment', async (t) => {
  const { answers, send, controls } = setUp()
  const both = [controls.before('a', send), controls.before('a', send)]
  t.equal(answers.length, 1)
  answers[0]?.()
  const [first, second] = await Promise.all(both)
  t.equal(first, second)
  t.equal(await controls.before('a', send), first, 'and before one that begins a little later')
  void controls.before('b', send)
  t.equal(answers.length, 2, 'not of another account')
})

t.test('a control after a case begins after it', async (t) => {
  const { answers, send, controls } = setUp()
  const before = controls.before('a', send)
  const both = [controls.after('a', send), controls.after('a', send)]
  await settled()
  t.equal(answers.length, 1, 'the one under way began too early')
  answers[0]?.()
  await before
  await settled()
  t.equal(answers.length, 2)
  const third = controls.after('a', send)
  await settled()
  t.equal(answers.length, 2, 'it has begun: what ends now needs the next')
  answers[1]?.()
  const [first, second] = await Promise.all(both)
  t.equal(first, second)
  await settled()
  t.equal(answers.length, 3)
  answers[2]?.()
  t.not(await third, first)
})

t.test('a control that was refused is no one else’s', async (t) => {
  const { answers, send, controls } = setUp()
  const both = [controls.before('a', send), controls.before('a', send)]
  answers[0]?.('refused')
  await settled()
  t.equal(answers.length, 2)
  answers[1]?.()
  const [first, second] = await Promise.all(both)
  t.equal(first?.problem, 'refused')
  t.equal(second?.problem, undefined)
})
