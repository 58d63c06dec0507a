import t from 'tap'
import { ReadableHeads } from './readable-heads.js'

const shown = (pieces: readonly string[]): string => {
  const heads = new ReadableHeads()
  const chunks = pieces.map((piece) => Buffer.from(piece))
  for (const chunk of chunks) heads.rewrite(chunk)
  return Buffer.concat(chunks).toString()
}

t.test(
  'a 100 becomes a 102, wherever the bytes are divided, and nothing after the final head changes',
  async (t) => {
    const early = 'HTTP/1.1 103 Early Hints\r\nLink: </100>\r\n\r\n'
    const of = (status: number) =>
      `HTTP/1.1 ${status} Continue\r\nA: HTTP/1.1 100\r\n\r\n${early}HTTP/1.1 ${status} x\r\n\r\n`
    const end = 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'
    const text = of(100) + end
    for (let cut = 0; cut <= text.length; cut++)
      t.equal(shown([text.slice(0, cut), text.slice(cut)]), of(102) + end, `${cut}`)
    t.equal(shown([...text]), of(102) + end, 'byte by byte')
    for (const other of ['HTTP/1.1 500 x\r\n\r\n', 'HTTP/1.0 100 x\r\n\r\n', '100 Continue\r\n\r\n'])
      t.equal(shown([...`${other}${text}`]), `${other}${text}`, other)
  },
)

t.test('a tab around a framing value becomes a space, and no other tab does', async (t) => {
  const head = (tab: string) =>
    [
      'HTTP/1.1 200 a\tb',
      `Content-Length:${tab}2${tab} `,
      'X-Content-Length:\t2\t',
      `transfer-ENCODING: ${tab}chunked${tab}`,
      'Transfer-Encodings:\tchunked',
      '\r\nContent-Length: 2\t\r\n\r\n',
    ].join('\r\n')
  const text = head('\t')
  for (let cut = 0; cut <= text.length; cut++)
    t.equal(shown([text.slice(0, cut), text.slice(cut)]), head(' '), `${cut}`)
})
