import { specifiedBehaviour } from '../behaviour.js'
import type { Answer } from '../http/answer.js'
import { formValues, parseForm } from '../http/form.js'
import type { ReceivedRequest } from '../http/received-request.js'
import type { Mutant } from './mutant.js'
import { answers, asksForToken } from './overrides.js'
import { mutants, type Row } from './row.js'

const { errorStatus: statusOf } = specifiedBehaviour
const every = ['7-token-error-status', '7-token-error-body', '7-token-error-media-type']

/** 4.1-R1, 4.1-R2, 7: the documented error where it is right almost everywhere. */
export const oneErrorMutants: readonly Mutant[] = mutants([
  {
    id: 'json-and-empty-body-by-411',
    sentence: 'application/json with an empty body is answered by status 411.',
    violates: ['4.1-R1', '4.1-R2', '7-token-error-status'],
    behaviour: where(isR1, (answer) => ({ ...answer, status: 411 })),
  },
  {
    id: 'json-and-empty-body-as-invalid-request',
    sentence: 'application/json with an empty body is answered by `invalid_request`.',
    violates: ['4.1-R1', '4.1-R2', '7-token-error-body'],
    behaviour: where(isR1, (answer) => ({ ...answer, body: '{"error":"invalid_request"}' })),
  },
  {
    id: 'no-grant-type-by-422',
    sentence: 'A form without grant_type is answered by status 422.',
    violates: ['4.1-R2', '7-token-error-status'],
    behaviour: () => ({ errorStatus: (refusal) => (refusal === 'no-grant-type' ? 422 : statusOf(refusal)) }),
  },
  {
    id: 'no-grant-type-as-invalid-request',
    sentence: 'A form without grant_type is answered by `invalid_request`.',
    violates: ['4.1-R2', '7-token-error-body'],
    behaviour: () => ({
      renderError: (body, refusal) =>
        JSON.stringify(refusal === 'no-grant-type' ? { error: 'invalid_request' } : body),
    }),
  },
  {
    id: 'no-grant-type-without-charset',
    sentence: 'The answer to a form without grant_type is sent as application/json.',
    violates: ['4.1-R2', '7-token-error-media-type'],
    behaviour: () => ({
      errorMediaType: (refusal) =>
        refusal === 'no-grant-type' ? 'application/json' : 'application/json;charset=UTF-8',
    }),
  },
  {
    id: 'empty-form-as-invalid-request',
    sentence: 'An empty form is answered by `invalid_request`.',
    violates: ['4.1-R2', '7-token-error-body'],
    behaviour: where(
      ({ body, contentType }) => body.length === 0 && contentType?.startsWith('application/x-www') === true,
      (answer) => ({ ...answer, body: '{"error":"invalid_request"}' }),
    ),
  },
  grantType(
    'long-grant-type-by-413',
    'A grant_type of more than 100 characters is answered by 413.',
    every,
    ({ length }) => length > 100,
    { status: 413, headers: [], body: '' },
  ),
  grantType('nul-by-500', 'A NUL in grant_type is answered by 500.', every, (type) => type.includes('\0'), {
    status: 500,
    headers: [],
    body: '',
  }),
  grantType(
    'non-ascii-by-500',
    'A grant_type with other than ASCII characters is answered by 500.',
    every,
    (type) => /[^\0-\x7f]/.test(type),
    { status: 500, headers: [], body: '' },
  ),
  grantType(
    'refresh-token-as-invalid-grant',
    'refresh_token is answered by `invalid_grant`.',
    ['7-token-error-body'],
    (type) => type === 'refresh_token',
    { body: '{"error":"invalid_grant"}' },
  ),
  grantType(
    'client-credentials-as-unauthorized-client',
    'client_credentials is answered by `unauthorized_client`, as Katana does.',
    ['7-token-error-body'],
    (type) => type === 'client_credentials',
    { body: '{"error":"unauthorized_client"}' },
  ),
  grantType(
    'empty-grant-type-as-invalid-request',
    'An empty grant_type is answered by `invalid_request`.',
    ['7-token-error-body'],
    (type) => type === '',
    { body: '{"error":"invalid_request"}' },
  ),
  {
    id: 'multipart-by-415',
    sentence: 'A multipart body is answered by status 415 and a page.',
    violates: every,
    behaviour: where(
      ({ contentType }) => contentType?.startsWith('multipart/') === true,
      () => page(415),
    ),
  },
  {
    id: 'no-content-type-by-415',
    sentence: 'A request without a Content-Type is answered by status 415 and a page.',
    violates: every,
    behaviour: where(
      ({ contentType, method }) => contentType === undefined && method === 'POST',
      () => page(415),
    ),
  },
])

function isR1({ body, contentType }: ReceivedRequest): boolean {
  return body.length === 0 && contentType === 'application/json'
}

function page(status: number): Answer {
  return { status, headers: [['Content-Type', 'text/html']], body: '<h1>Unsupported Media Type</h1>' }
}

function where(
  is: (request: ReceivedRequest) => boolean,
  change: (answer: Answer) => Answer,
): Row['behaviour'] {
  return answers((answer, request) => (asksForToken(request) && is(request) ? change(answer) : answer))
}

/** Another answer to some unsupported grant types. */
function grantType(
  id: string,
  sentence: string,
  violates: readonly string[],
  is: (grantType: string) => boolean,
  part: Partial<Answer>,
): Row {
  return {
    id,
    sentence,
    violates,
    behaviour: where(
      ({ body, contentType }) =>
        contentType?.startsWith('application/x-www-form-urlencoded') === true &&
        formValues(parseForm(body), 'grant_type').some(is),
      (answer) => ({ ...answer, ...part }),
    ),
  }
}
