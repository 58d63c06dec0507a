import type { Delivery } from '../../reference/http/answer.js'
import { breaking, type Mutant } from './mutant.js'
import { asksForToken, type Override } from './overrides.js'

const declares = { timeoutMs: 300 }

/** Not wrong, but not to be judged either. */
export const unavailableMutants: readonly Mutant[] = breaking({ violates: [], expect: 'cantTell' })({
  'hangs: No token request is ever answered.': {
    behaviour: delivering(always, { kind: 'silence' }),
    declares,
  },
  'hangs-later: After 40 token requests none is ever answered.': {
    behaviour: delivering(after(40), { kind: 'silence' }),
    declares,
  },
  'resets: Every token request is answered by a reset of the connection.': delivering(always, {
    kind: 'reset',
  }),
  'resets-later: After 40 token requests the connection is reset on every further one.': delivering(
    after(40),
    { kind: 'reset' },
  ),
  'hangs-up: The connection ends in place of an answer.': sending(''),
  'speaks-otherwise: What answers is no HTTP server.': sending('220 mail.example.com ESMTP\r\n'),
  'half-an-answer: Answers end before the length that they announce.': sending(
    'HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n{"access_token":"',
  ),
})

function sending(text: string): Override {
  return delivering(always, { kind: 'raw', bytes: Buffer.from(text) })
}

/** An answer that is none, to the token requests that are due. */
function delivering(due: () => () => boolean, delivery: Delivery): Override {
  return () => {
    const isDue = due()
    return {
      deliver: (answer, request) =>
        asksForToken(request) && isDue() ? delivery : { kind: 'answer', answer },
    }
  }
}

function always(): () => boolean {
  return () => true
}

function after(requests: number): () => () => boolean {
  return () => {
    let count = 0
    return () => ++count > requests
  }
}
