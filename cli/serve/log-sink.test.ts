import t from 'tap'
import { createLogSink } from './log-sink.js'

const now = (): Date => new Date(Date.UTC(2024, 0, 2, 3, 4, 5, 6))

function written(
  config: Parameters<typeof createLogSink>[0],
  ...lines: Parameters<ReturnType<typeof createLogSink>>
): string {
  let text = ''
  const sink = createLogSink(config, (more) => (text += more), now)
  for (const line of lines) sink(line)
  return text
}

const hostile = {
  level: 'info',
  event: 'request',
  path: '/\u009b2J\u202e\u2028',
  reason: 'a "b" c',
  tag: '\u{e0041}',
} as const

t.test('as JSON, a line each, which every parser reads', async (t) => {
  const text = written({}, hostile)
  t.match(
    text,
    /^\{"time":"2024-01-02T03:04:05\.006Z","level":"info","event":"request","path":"\/\\u009b2J\\u202e\\u2028"/,
  )
  t.strictSame(JSON.parse(text), { time: '2024-01-02T03:04:05.006Z', ...hostile })
  t.notMatch(text.slice(0, -1), /[\p{Cc}\p{Cf}]/u)
})

t.test('as text, with what does not end by itself in quotes', async (t) => {
  t.equal(
    written({ format: 'text' }, { ...hostile, tag: 'x' }),
    '2024-01-02T03:04:05.006Z info  request path="/\\u009b2J\\u202e\\u2028" reason="a \\"b\\" c" tag=x\n',
  )
})

t.test('from a level on', async (t) => {
  const lines = (['info', 'warn', 'error'] as const).map((level) => ({ level, event: level }))
  const countOf = (level: 'info' | 'warn' | 'error' | 'silent'): number =>
    lines.filter((line) => written({ level }, line) !== '').length
  t.strictSame((['info', 'warn', 'error', 'silent'] as const).map(countOf), [3, 2, 1, 0])
})
