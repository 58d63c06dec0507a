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
  'hangs-later: After 40 token requests, none is ever answered.': {
    behaviour: delivering(after(40), { kind: 'silence' }),
    declares,
  },
  'resets: The connection is reset on every token request.': delivering(always, {
    kind: 'reset',
  }),
  'resets-later: After 40 token requests, the connection is reset on every request.': delivering(after(40), {
    kind: 'reset',
  }),
  'hangs-up: The connection closes without an answer.': sending(''),
  'speaks-otherwise: The server does not speak HTTP.': sending('220 mail.example.com ESMTP\r\n'),
  'half-an-answer: Answers end before their announced length.': sending(
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
