import t from 'tap'
import { ContinueAnswers } from './continue-answers.js'

const shown = (pieces: readonly string[]): string => {
  const answers = new ContinueAnswers()
  const chunks = pieces.map((piece) => Buffer.from(piece))
  for (const chunk of chunks) answers.rewrite(chunk)
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
    for (const other of ['HTTP/1.1 500 x\r\n\r\n', 'HTTP/1.0 100 x\r\n\r\n', '100 Continue'])
      t.equal(shown([...`${other}${text}`]), `${other}${text}`, other)
  },
)
