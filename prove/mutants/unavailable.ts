import type { Delivery } from '../../reference/http/answer.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { asksForToken } from './overrides.js'
import type { Override } from './rows.js'

const claims = { violates: [], expect: 'cantTell' } as const
const hanging = { ...claims, declares: { timeoutMs: 300 } }

/** Not wrong, but not to be judged either. */
export const unavailableMutants: readonly Mutant[] = [
  ...breaking(hanging, asIs, {
    'hangs: No token request is ever answered.': delivering({ kind: 'silence' }),
    'hangs-later: After 40 token requests, none is ever answered.': delivering({ kind: 'silence' }, 40),
  }),
  ...breaking(claims, asIs, {
    'resets: The connection is reset on every token request.': delivering({ kind: 'reset' }),
    'resets-later: After 40 token requests, the connection is reset on every request.': delivering(
      { kind: 'reset' },
      40,
    ),
  }),
  ...breaking(claims, (text: string) => delivering({ kind: 'raw', bytes: Buffer.from(text) }), {
    'hangs-up: The connection closes without an answer.': '',
    'speaks-otherwise: The server does not speak HTTP.': '220 mail.example.com ESMTP\r\n',
    'half-an-answer: Answers end before their announced length.':
      'HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n{"access_token":"',
  }),
]

/** An answer that is none, to the token requests after the first so many. */
function delivering(delivery: Delivery, good = 0): () => Override {
  return () => {
    let count = 0
    return {
      deliver: (answer, request) =>
        asksForToken(request) && ++count > good ? delivery : { kind: 'answer', answer },
    }
  }
}
