import t from 'tap'
import { createInbox, type Inbox, type Round, type WatchRequest, watchLoop } from './watch-loop.js'

/** What the loop ran and said, where each run ends as listed and each wait gets what is listed. */
async function session(
  runs: readonly (Partial<Round> | 'refused')[],
  asks: readonly WatchRequest[],
  during: (inbox: Inbox, index: number) => void = () => undefined,
): Promise<{ readonly exitCode: number; readonly log: readonly string[] }> {
  const log: string[] = []
  const inbox = createInbox()
  let index = 0
  const left = [...asks]
  const exitCode = await watchLoop({
    inbox,
    say: (text) => log.push(text),
    onWait: () => {
      if (!inbox.isEmpty) return
      inbox.put(left.shift() ?? 'quit')
    },
    run: async (only) => {
      log.push(`run ${only?.join(' ') ?? 'all'}`)
      const ended = runs[index]
      during(inbox, index)
      index += 1
      if (ended === 'refused') return undefined
      return { exitCode: 0, isPart: only !== undefined, failed: [], isInterrupted: false, ...ended }
    },
  })
  return { exitCode, log }
}

t.test('after a change what failed runs first, and everything once that passes', async (t) => {
  const { exitCode, log } = await session(
    [{ exitCode: 1, failed: ['a', 'b'] }, { exitCode: 1, failed: ['b'] }, {}, {}],
    ['change', 'change'],
  )
  t.strictSame(log, ['run all', 'run a b', 'run b', 'The failures pass now: running everything.', 'run all'])
  t.equal(exitCode, 0)
})

t.test('a runs everything, f what failed and no more', async (t) => {
  const { exitCode, log } = await session(
    [{ exitCode: 1, failed: ['a'] }, { exitCode: 1, failed: ['a'] }, {}],
    ['all', 'failed', 'failed'],
  )
  t.strictSame(log, ['run all', 'run all', 'run a', 'Nothing failed in the last run.'])
  t.equal(exitCode, 0)
})

t.test('a change during a run is not lost, and of several asks the strongest counts', async (t) => {
  const { log } = await session([{ failed: ['a'] }, { failed: ['a'] }], [], (inbox, index) => {
    if (index > 0) return
    inbox.put('all')
    inbox.put('change')
    inbox.put('change')
  })
  t.strictSame(log, ['run all', 'run all'])
  const again = await session([{ failed: ['a'] }, {}, {}], [], (inbox, index) => {
    if (index < 2) inbox.put('change')
  })
  t.strictSame(
    again.log,
    ['run all', 'run a', 'run all'],
    'what failed passes, and all is run since there is more to do',
  )
})

t.test('a run that is refused keeps what is known; one that is interrupted ends it', async (t) => {
  const refused = await session(
    [{ exitCode: 1, failed: ['a'] }, 'refused', { exitCode: 3, failed: ['a'] }],
    ['change', 'change'],
  )
  t.strictSame(refused, { exitCode: 3, log: ['run all', 'run a', 'run a'] })
  const last = await session([{}, 'refused'], ['change'])
  t.equal(last.exitCode, 2, 'what was green before says nothing of what is there now')
  const interrupted = await session([{ exitCode: 130, isInterrupted: true, failed: ['a'] }], ['change'])
  t.strictSame(interrupted, { exitCode: 130, log: ['run all'] })
})

t.test('quitting during a run ends after it', async (t) => {
  const { exitCode, log } = await session([{ exitCode: 1, failed: ['a'] }], [], (inbox) => {
    inbox.put('quit')
    inbox.put('change')
  })
  t.strictSame([exitCode, log], [1, ['run all']])
})

t.test('an inbox hands over what comes later', async (t) => {
  const inbox = createInbox()
  const taken = inbox.take()
  inbox.put('failed')
  t.equal(await taken, 'failed')
  t.equal(inbox.isEmpty, true)
})
