import t from 'tap'
import { BestWidth } from './best-width.js'

/**
 * A service in virtual time: all slots that `width` allows are in use, and what it does in a second is shared by the
 * requests in flight.
 * @param perSecond answers in a second, by the number in flight
 * @param timedNth of the answers, only one in so many is like the others
 * @param workOf how much more than others each of them takes
 * @returns the seconds that the requests took, and the widths that were in use
 */
function simulate(
  requests: number,
  perSecond: (inFlight: number) => number,
  { adapts = true, max = 8, timedNth = 1, workOf = (_: number): number => 1 } = {},
): { readonly seconds: number; readonly widths: readonly number[] } {
  const best = new BestWidth(max)
  const widths = new Set<number>()
  const inFlight: { readonly startedAt: number; readonly among: number; work: number }[] = []
  let now = 0
  let started = 0
  let ended = 0
  // The first login of a run is alone.
  best.answered(1, 1000 / perSecond(1), now)
  while (started < requests || inFlight.length > 0) {
    const width = adapts ? best.width : max
    widths.add(width)
    while (started < requests && inFlight.length < width) {
      inFlight.push({ startedAt: now, among: inFlight.length + 1, work: workOf(started++) })
    }
    // Each gets the same share of what the service does in a second.
    const share = perSecond(inFlight.length) / inFlight.length
    const min = Math.min(...inFlight.map(({ work }) => work))
    now += min / share
    for (const one of inFlight) one.work -= min
    // The next one starts when one is over, also where several end at once.
    const over = inFlight.findIndex(({ work }) => work < 1e-9)
    const [{ startedAt, among } = { startedAt: now, among: 0 }] = inFlight.splice(over, 1)
    if (++ended % timedNth === 0) best.answered(among, (now - startedAt) * 1000, now * 1000)
  }
  return { seconds: now, widths: [...widths] }
}

const delay = (inFlight: number): number => inFlight / 0.1
const atATime = (slots: number) => (inFlight: number) => Math.min(inFlight, slots) / 0.1
/** Beyond four at a time they are in each other's way: eight do half of what four do. */
const thrashing = (inFlight: number): number => (inFlight <= 4 ? inFlight : 16 / inFlight) / 0.1

t.test('a service that answers all alike gets as many as were asked for', async (t) => {
  t.strictSame(simulate(2000, delay).widths, [8])
  t.strictSame(simulate(2000, delay, { max: 32 }).widths, [32])
})

t.test('a service whose answers take now less, now more is hardly slowed down by trials', async (t) => {
  const options = { workOf: (index: number) => [0.3, 1, 2.2, 1, 0.5][index % 5] ?? 1 }
  const { seconds } = simulate(4000, delay, { ...options, adapts: false })
  t.ok(simulate(4000, delay, options).seconds <= 1.05 * seconds)
})

t.test('a service that lets requests wait in line is as fast as without', async (t) => {
  t.strictSame(simulate(2000, atATime(4)).widths, [8], 'four at a time')
  for (const slots of [1, 2, 3]) {
    const { seconds } = simulate(2000, atATime(slots), { adapts: false })
    t.ok(simulate(2000, atATime(slots)).seconds <= 1.02 * seconds, `${slots} at a time`)
  }
})

t.test('a service that slows down under many gets as many as it answers most of', async (t) => {
  // The fewest seconds are 2000 × 0.1 ÷ 4. With 32 in flight the first answers alone take 6.4 s.
  for (const [max, asked, maxSeconds] of [
    [8, 100, 1.15 * 50],
    [32, 400, 1.5 * 50],
  ] as const) {
    t.ok(Math.abs(simulate(2000, thrashing, { adapts: false, max }).seconds - asked) < 2)
    const { seconds, widths } = simulate(2000, thrashing, { max })
    t.ok(seconds <= maxSeconds, `${max} were asked for: ${seconds} s`)
    t.ok(Math.max(...widths) <= max)
    t.equal(widths.includes(4), true)
  }
})

t.test('a trial that shows at once that it is worse ends at once', async (t) => {
  // The fewest seconds are 50. Where few answers are alike, 16 of them take long.
  for (const timedNth of [1, 3, 6])
    t.ok(simulate(2000, thrashing, { timedNth }).seconds <= 1.2 * 50, `one in ${timedNth} is timed`)
})

t.test('a trial in which no answers are alike ends as one that shows nothing', async (t) => {
  const best = new BestWidth(8)
  best.answered(1, 100, 0)
  const timed = (times: number, width: number, durationMs: number, now: number): void => {
    for (let index = 0; index < times; index++) best.answered(width, durationMs, now)
  }
  timed(16, 8, 400, 1000)
  timed(16, 4, 100, 2000)
  t.equal(best.width, 4)
  timed(16, 4, 100, 5000)
  t.equal(best.width, 8, 'on trial')
  for (let index = 0; index < 40; index++) best.other(6000)
  t.equal(best.width, 4)
  timed(16, 4, 100, 6001)
  t.equal(best.width, 4, 'not at once again')
  timed(16, 4, 100, 9000)
  t.equal(best.width, 8, 'but later')
})

t.test('a service that recovers gets more again', async (t) => {
  const best = new BestWidth(8)
  best.answered(1, 100, 0)
  let now = 0
  const answer = (times: number, msOf: (width: number) => number): void => {
    for (let index = 0; index < times; index++) {
      now += msOf(best.width) / best.width
      best.answered(best.width, msOf(best.width), now)
    }
  }
  answer(200, (width) => (width > 4 ? 400 : 100))
  t.equal(best.width, 4)
  answer(2000, () => 100)
  t.equal(best.width, 8)
})

t.test('answers that no one waits for, and those of a half used queue, change nothing', async (t) => {
  const quick = new BestWidth(8)
  quick.answered(1, 1, 0)
  for (let index = 0; index < 100; index++) quick.answered(8, 15, index)
  t.equal(quick.width, 8)
  const halfUsed = new BestWidth(8)
  halfUsed.answered(1, 100, 0)
  for (let index = 0; index < 100; index++) halfUsed.answered(5, 900, index)
  t.equal(halfUsed.width, 8)
})
