import t from 'tap'
import { RequestQueue, Semaphore, type Urgency } from './request-queue.js'
import { type MonotonicClock, Throttle } from './throttle.js'

const clock: MonotonicClock = { now: () => 0, sleep: () => () => undefined }

t.test(
  'a service that answers most with four in flight gets four, and a race all of its requests',
  async (t) => {
    const queue = new RequestQueue(new Semaphore(8), new Throttle(), clock)
    const { concurrency } = queue
    concurrency.answered(1, 100, 0)
    for (let index = 0; index < 16; index++) concurrency.answered(8, 800, index)
    for (let index = 0; index < 16; index++) concurrency.answered(4, 100, index)
    const started = (races = false): number =>
      Array.from({ length: 8 }, () => queue.enter(races ? 'race' : 'usual')).filter(
        (entered) => entered === true,
      ).length
    t.equal(started(), 4)
    t.equal(concurrency.inFlight, 4)
    // Those that wait go first.
    for (let index = 0; index < 8; index++) queue.leave()
    t.equal(concurrency.inFlight, 0)
    t.equal(started(true), 8)
  },
)

t.test('a race goes first, then a chain, last what is spare; others in the order of asking', async (t) => {
  const queue = new RequestQueue(new Semaphore(1), new Throttle(), clock)
  t.equal(queue.enter(), true)
  const order: string[] = []
  const wait = async (name: string, urgency?: Urgency): Promise<void> => {
    await queue.enter(urgency)
    order.push(name)
    queue.leave()
  }
  const all = [
    wait('spare', 'spare'),
    wait('a'),
    wait('chained', 'chained'),
    wait('b'),
    wait('race', 'race'),
    wait('race too', 'race'),
    wait('chained too', 'chained'),
  ]
  queue.leave()
  await Promise.all(all)
  t.strictSame(order, ['race', 'race too', 'chained', 'chained too', 'a', 'b', 'spare'])
})
