import type { Delivery } from '../http/answer.js'
import type { Mutant } from './mutant.js'
import { asksForToken, type Override } from './overrides.js'
import { mutants, type Row } from './row.js'

const patience = { timeoutMs: 300 }

/** Not wrong, but not to be judged either. */
export const unavailableMutants: readonly Mutant[] = mutants([
  {
    ...broken('hangs', 'No token request is ever answered.', always, { kind: 'silence' }),
    declares: patience,
  },
  {
    ...broken('hangs-later', 'After 40 token requests none is ever answered.', after(40), {
      kind: 'silence',
    }),
    declares: patience,
  },
  broken('resets', 'Every token request is answered by a reset of the connection.', always, {
    kind: 'reset',
  }),
  broken('resets-later', 'After 40 token requests the connection is reset on every further one.', after(40), {
    kind: 'reset',
  }),
  broken('hangs-up', 'The connection ends in place of an answer.', always, {
    kind: 'raw',
    bytes: new Uint8Array(),
  }),
  broken('speaks-otherwise', 'What answers is no HTTP server.', always, {
    kind: 'raw',
    bytes: Buffer.from('220 mail.example.com ESMTP\r\n'),
  }),
  broken('half-an-answer', 'Answers end before the length that they announce.', always, {
    kind: 'raw',
    bytes: Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n{"access_token":"'),
  }),
])

/** An answer that is none, to the token requests that are due. */
function broken(id: string, sentence: string, due: () => () => boolean, delivery: Delivery): Row {
  return { id, sentence, violates: [], expect: 'cantTell', behaviour: delivering(due, delivery) }
}

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
