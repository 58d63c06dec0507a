import t from 'tap'
import { createFeed, type FeedOptions } from './feed.js'

/** A page: the parts it shows, from the events that it got. */
function openPage() {
  const parts = new Map<string, unknown>()
  let lastId = ''
  let written = ''
  return {
    parts,
    lastId: () => lastId,
    written: () => written,
    isConnected: true,
    writableLength: 0,
    write(text: string) {
      written += text
      for (const event of text.split('\n\n')) {
        const id = /^id: (.*)$/m.exec(event)?.[1]
        const data = /^data: (.+)$/m.exec(event)?.[1]
        if (id === undefined || data === undefined) continue
        lastId = id
        const { part, value } = JSON.parse(data)
        parts.set(part, value)
      }
    },
    destroy() {
      this.isConnected = false
    },
  }
}

const feedWith = (options?: FeedOptions) => {
  const feed = createFeed(options)
  const first = feed.lastId
  return { feed, first }
}

t.test('a page sees what follows, and what it missed once, in the order of the last changes', async (t) => {
  const { feed, first } = feedWith()
  const page = openPage()
  const disconnect = feed.connect(page, first)
  feed.publish('a', 1)
  feed.publish('b', '<b>\n"two"</b>')
  t.strictSame(
    [...page.parts],
    [
      ['a', 1],
      ['b', '<b>\n"two"</b>'],
    ],
  )
  t.equal(page.lastId(), feed.lastId)
  disconnect?.()
  for (let n = 0; n <= 10_000; n += 1) feed.publish('a', n)
  feed.publish('c', 3)
  t.equal(page.parts.get('a'), 1, 'nothing comes to a page that has left')

  const back = openPage()
  feed.connect(back, page.lastId())
  t.strictSame(
    [...back.parts],
    [
      ['a', 10_000],
      ['c', 3],
    ],
    'what did not change does not come again',
  )
  const current = openPage()
  feed.connect(current, feed.lastId)
  t.equal(current.parts.size, 0)
  const fresh = openPage()
  feed.connect(fresh, first)
  t.strictSame([...fresh.parts.keys()], ['b', 'a', 'c'])
})

t.test('a page of another feed, or from the future, loads itself anew, once', async (t) => {
  const { feed } = feedWith()
  feed.publish('a', 1)
  const [origin] = feed.lastId.split('-')
  for (const seen of ['', 'x', createFeed().lastId, `${origin}-9`, `${origin}-`, `${origin}-1e0`]) {
    const page = openPage()
    feed.connect(page, seen)
    t.strictSame([...page.parts.keys()], ['reset'], seen)
    const again = openPage()
    feed.connect(again, page.lastId())
    t.equal(again.parts.size, 0, 'its next connection is up to date')
  }
})

t.test('memory has a bound, and a page that missed what is forgotten loads itself anew', async (t) => {
  const { feed, first } = feedWith({ maxParts: 3 })
  const ids = ['a', 'b', 'c', 'd'].map((part) => {
    feed.publish(part, part)
    return feed.lastId
  })
  const late = openPage()
  feed.connect(late, first)
  t.strictSame([...late.parts.keys()], ['reset'])
  const close = openPage()
  feed.connect(close, ids[0] ?? '')
  t.strictSame([...close.parts.keys()], ['b', 'c', 'd'])
})

t.test('a page that does not read is disconnected, and others are not', async (t) => {
  const { feed, first } = feedWith({ maxBehindBytes: 100 })
  const [slow, quick] = [openPage(), openPage()]
  feed.connect(slow, first)
  feed.connect(quick, first)
  slow.writableLength = 101
  feed.publish('a', 1)
  t.strictSame([slow.isConnected, quick.isConnected, quick.parts.get('a')], [false, true, 1])
  slow.writableLength = 0
  feed.publish('a', 2)
  t.equal(slow.parts.size, 0, 'it is gone')
})

t.test('so many pages and no more; a beat for each; the end', async (t) => {
  const { feed, first } = feedWith({ maxSinks: 2 })
  const pages = [openPage(), openPage(), openPage()] as const
  const leave = feed.connect(pages[0], first)
  t.type(feed.connect(pages[1], first), 'function')
  t.equal(feed.connect(pages[2], first), undefined)
  leave?.()
  t.type(feed.connect(pages[2], first), 'function', 'there is room again')
  feed.beat()
  t.match(pages[2].written(), /event: beat\n/)
  t.notMatch(pages[0].written(), /event: beat\n/)
  feed.close()
  t.strictSame(
    pages.map(({ isConnected }) => isConnected),
    [true, false, false],
  )
})
