import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { ownCopy } from './own-copy.js'
import { Redactor } from './redact.js'

const ANSWERS = 1000
const ANSWER_BYTES = 100_000

/** A token in an answer: to the engine a view of it. */
function tokenOf(count: number): string {
  const answer = `{"access_token":"${String(count).padStart(40, '-')}"}`.padEnd(ANSWER_BYTES)
  return answer.slice(17, 57)
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** How many of the answers are still in memory after so many tokens were kept, by their bytes. */
function answersKept(keep: (token: string) => void): number {
  for (let warm = 0; warm < 3; warm++) collect()
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < ANSWERS; count++) keep(tokenOf(count))
  collect()
  return (process.memoryUsage().heapUsed - before) / ANSWER_BYTES
}

t.test('a copy is the same text, without the one that it was in', async (t) => {
  t.equal(ownCopy('token-7 é ‹'), 'token-7 é ‹')
  t.equal(ownCopy(''), '')
  const views: string[] = []
  t.ok(answersKept((token) => views.push(token)) > ANSWERS / 2, 'views keep what they are of')
  const copies: string[] = []
  t.ok(answersKept((token) => copies.push(ownCopy(token))) < ANSWERS / 10, 'copies do not')
  t.strictSame(copies, views)
})

t.test('a token is remembered, the answer that it was in is not', async (t) => {
  const redactor = new Redactor([])
  const kept = answersKept((token) => redactor.learnToken(token))
  t.ok(kept < ANSWERS / 10, `${Math.round(kept)} answers of ${ANSWERS}`)
  t.equal(redactor.text(`it was ${'7'.padStart(40, '-')}.`), 'it was ‹access token›.')
})
