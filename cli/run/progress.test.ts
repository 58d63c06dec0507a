import t from 'tap'
import type { Outcome, Result } from '../../spec/model/report.js'
import { createProgress } from './progress.js'

const result = (outcome: Outcome, message = 'It is wrong.'): Result => ({
  id: 'default/4.1/x',
  case: '4.1/x',
  deployment: 'default',
  title: 'x',
  outcome,
  durationMs: 1,
  judgements: [{ rule: '4.1-R1', outcome, message }],
  exchanges: [],
})

function setUp(isTTY: boolean, columns?: number) {
  const writes: string[] = []
  let at = 0
  const stream = { write: (text: string) => writes.push(text), columns }
  const progress = createProgress(stream, { isTTY, color: false, now: () => at })
  return { writes, progress, pass: (ms: number) => (at += ms) }
}

t.test('one live line on a terminal', async (t) => {
  const { writes, progress, pass } = setUp(true)
  progress.planned(100)
  t.equal(writes.at(-1), '\r\u001b[2K0 requests, 0 of 100 cases, no failures')
  for (let n = 0; n < 50; n += 1) {
    pass(40)
    for (let sent = 0; sent < 20; sent++) progress.sent()
    progress.finished(result(n === 20 ? 'failed' : 'passed'))
  }
  t.equal(writes.at(-1), '\r\u001b[2K941 requests, 47 of 100 cases, 1 failure, about 3 s left')
  pass(20_000)
  progress.finished(result('passed'))
  t.equal(writes.at(-1), '\r\u001b[2K1,000 requests, 51 of 100 cases, 1 failure, about 25 s left')
  t.ok(writes.length <= 2000 / 100 + 2, 'drawn ten times a second at most')
  progress.done()
  t.equal(writes.at(-1), '\r\u001b[2K', 'and nothing is left of it')
  const { length } = writes
  pass(1000)
  progress.finished(result('passed'))
  progress.done()
  t.equal(writes.length, length)
})

t.test('the live line never wraps, and waived failures are none', async (t) => {
  const { writes, progress, pass } = setUp(true, 20)
  progress.planned(100)
  pass(200)
  progress.finished({ ...result('failed'), waived: { reason: 'x', until: 'y' } })
  t.equal(writes.at(-1), '\r\u001b[2K0 requests, 1 of 1…')
})

t.test('what fails before it is finished is shown at once, and counted once', async (t) => {
  const { writes, progress } = setUp(false)
  progress.planned(2)
  progress.failing(result('failed'))
  t.equal(writes.at(-1), 'failed: default/4.1/x, 4.1-R1: It is wrong.\n')
  const { length } = writes
  progress.sent()
  progress.finished(result('failed'))
  t.strictSame(writes.slice(length), ['1 of 2 cases done, 1 request sent, 1 failed\n'])
  const terminal = setUp(true)
  terminal.progress.planned(2)
  terminal.pass(200)
  terminal.progress.failing(result('failed'))
  t.match(terminal.writes.at(-1), /0 of 2 cases, 1 failure/)
  terminal.pass(200)
  terminal.progress.finished(result('failed'))
  t.match(terminal.writes.at(-1), /1 of 2 cases, 1 failure/)
})

t.test('a few plain lines elsewhere', async (t) => {
  const { writes, progress } = setUp(false)
  progress.planned(16)
  for (let n = 0; n < 8; n += 1) progress.finished(result('inapplicable'))
  t.strictSame(writes, ['16 cases planned\n'], 'nothing of cases that need no request')
  for (let sent = 0; sent < 1200; sent++) progress.sent()
  progress.finished(result('passed'))
  progress.finished(result('failed', 'bad\u001b[2J\n::error::x'))
  for (let n = 0; n < 6; n += 1) progress.finished(result('passed'))
  progress.done()
  t.strictSame(writes, [
    '16 cases planned\n',
    'failed: default/4.1/x, 4.1-R1: bad\\u001b[2J\\n::error::x\n',
    '12 of 16 cases done, 1,200 requests sent, 1 failed\n',
  ])
})

t.test('what a stop left out is not done', async (t) => {
  const { writes, progress } = setUp(false)
  progress.planned(16)
  progress.sent()
  for (let n = 0; n < 15; n += 1) progress.finished(result('untested'))
  t.strictSame(writes, ['16 cases planned\n'])
})

t.test('many failures are not many lines', async (t) => {
  const { writes, progress } = setUp(false)
  progress.planned(1000)
  for (let n = 0; n < 1000; n += 1) {
    progress.sent()
    progress.finished({ ...result('failed'), id: `default/${n}` })
  }
  t.equal(writes.length, 1 + 20 + 1 + 3)
  t.match(writes.join(''), 'the report lists further failures\n')
})

t.test('a note stays, and the live line goes on below it', async (t) => {
  const live = setUp(true)
  live.progress.planned(100)
  live.progress.note('stopping')
  t.equal(live.writes.at(-1), '\r\u001b[2Kstopping\n')
  live.progress.finished(result('passed'))
  t.equal(live.writes.at(-1), '\r\u001b[2K0 requests, 1 of 100 cases, no failures')
  live.progress.done()
  live.progress.note('late')
  t.equal(live.writes.at(-1), 'late\n')
  live.progress.finished(result('passed'))
  t.equal(live.writes.at(-1), 'late\n', 'nothing is drawn any more')

  const plain = setUp(false)
  plain.progress.note('stopping')
  t.strictSame(plain.writes, ['stopping\n'])
})

t.test('a long run says how long it takes, and every ten seconds how long it still does', async (t) => {
  const { writes, progress, pass } = setUp(false)
  progress.planned(80, 1000, 250)
  progress.loggedIn(100)
  progress.loggedIn(108)
  for (let sent = 0; sent < 400; sent++) {
    pass(100)
    progress.sent()
  }
  // 5.5 s until then, and 745 of four fifths of 1000 at 100 ms each.
  t.strictSame(writes.slice(1), [
    'a login takes 104 ms: about 1 min 20 s; `--effort quick` takes 20 s\n',
    '155 requests sent, about 1 min 5 s left\n',
    '255 requests sent, about 55 s left\n',
    '355 requests sent, about 45 s left\n',
  ])
})

t.test('where more is sent than planned, how much it was is said every ten seconds', async (t) => {
  const { writes, progress, pass } = setUp(false)
  progress.planned(80, 200)
  for (let sent = 0; sent < 400; sent++) {
    pass(100)
    progress.sent()
  }
  t.strictSame(writes.slice(1), [
    '10 requests a second: about 20 s\n',
    '155 requests sent, about 1 s left\n',
    '255 requests sent\n',
    '355 requests sent\n',
  ])
})

t.test('what is slow at first does not make the rest long', async (t) => {
  const { writes, progress, pass } = setUp(false)
  progress.planned(80, 1240)
  for (let sent = 0; sent < 440; sent++) {
    pass(sent < 40 ? 1000 : 10)
    progress.sent()
  }
  // 40 s for the first 40, 1.5 s for 150 more, and 8 s for the rest of four fifths.
  t.strictSame(writes.slice(1), ['100 requests a second: about 50 s\n'])
})

t.test('a short run says nothing of that', async (t) => {
  const { writes, progress, pass } = setUp(false)
  progress.planned(80, 200)
  for (let sent = 0; sent < 200; sent++) {
    pass(40)
    progress.sent()
  }
  t.strictSame(writes, ['80 cases planned\n'])
})

t.test('on a terminal the same is said once, and the time left follows the requests', async (t) => {
  const { writes, progress, pass } = setUp(true)
  progress.planned(80, 1000, 250)
  progress.loggedIn(104)
  pass(4000)
  progress.finished(result('passed'))
  t.match(writes.at(-1), /0 requests, 1 of 80 cases, no failures$/)
  for (let sent = 0; sent < 100; sent++) {
    pass(100)
    progress.sent()
  }
  t.match(writes.at(-1), /100 requests, 1 of 80 cases, no failures, about 1 min 10 s left$/)
  t.strictSame(
    writes.filter((text) => text.includes('login')),
    ['\r\u001b[2Ka login takes 104 ms: about 1 min 25 s; `--effort quick` takes 20 s\n'],
  )
})
