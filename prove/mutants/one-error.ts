import { specifiedBehaviour } from '../../reference/behaviour.js'
import type { Answer } from '../../reference/http/answer.js'
import { formValues, parseForm } from '../../reference/http/form.js'
import type { ReceivedRequest } from '../../reference/http/received-request.js'
import { breaking, type Mutant } from './mutant.js'
import { answers, asksForToken, type Override } from './overrides.js'

const { errorStatus: statusOf } = specifiedBehaviour
const every = ['7-token-error-status', '7-token-error-body', '7-token-error-media-type']

/** 4.1-R1, 4.1-R2, 7: the documented error where it is right almost everywhere. */
export const oneErrorMutants: readonly Mutant[] = [
  ...breaking(['4.1-R1', '4.1-R2', '7-token-error-status'])({
    'json-and-empty-body-by-411: application/json with an empty body gets status 411.': where(
      isR1,
      (answer) => ({ ...answer, status: 411 }),
    ),
  }),
  ...breaking(['4.1-R1', '4.1-R2', '7-token-error-body'])({
    'json-and-empty-body-as-invalid-request: JSON with an empty body gets the error `invalid_request`.':
      where(isR1, (answer) => ({ ...answer, body: '{"error":"invalid_request"}' })),
  }),
  ...breaking(['4.1-R2', '7-token-error-status'])({
    'no-grant-type-by-422: A form without grant_type gets status 422.': () => ({
      errorStatus: (refusal) => (refusal === 'no-grant-type' ? 422 : statusOf(refusal)),
    }),
  }),
  ...breaking(['4.1-R2', '7-token-error-body'])({
    'no-grant-type-as-invalid-request: A form without grant_type gets the error `invalid_request`.': () => ({
      renderError: (body, refusal) =>
        JSON.stringify(refusal === 'no-grant-type' ? { error: 'invalid_request' } : body),
    }),
  }),
  ...breaking(['4.1-R2', '7-token-error-media-type'])({
    'no-grant-type-without-charset: The answer to a form without grant_type is sent as application/json.':
      () => ({
        errorMediaType: (refusal) =>
          refusal === 'no-grant-type' ? 'application/json' : 'application/json;charset=UTF-8',
      }),
  }),
  ...breaking(['4.1-R2', '7-token-error-body'])({
    'empty-form-as-invalid-request: An empty form gets the error `invalid_request`.': where(
      ({ body, contentType }) => body.length === 0 && contentType?.startsWith('application/x-www') === true,
      (answer) => ({ ...answer, body: '{"error":"invalid_request"}' }),
    ),
  }),
  ...breaking(every)({
    'long-grant-type-by-413: A grant_type of more than 100 characters gets 413.': grantType(
      ({ length }) => length > 100,
      { status: 413, headers: [], body: '' },
    ),
    'nul-by-500: A NUL in grant_type gets 500.': grantType((type) => type.includes('\0'), {
      status: 500,
      headers: [],
      body: '',
    }),
    'non-ascii-by-500: A grant_type with other than ASCII characters gets 500.': grantType(
      (type) => /[^\0-\x7f]/.test(type),
      { status: 500, headers: [], body: '' },
    ),
  }),
  ...breaking(['7-token-error-body'])({
    'refresh-token-as-invalid-grant: refresh_token gets the error `invalid_grant`.': grantType(
      (type) => type === 'refresh_token',
      { body: '{"error":"invalid_grant"}' },
    ),
    'client-credentials-as-unauthorized-client: client_credentials gets the error `unauthorized_client`.':
      grantType((type) => type === 'client_credentials', { body: '{"error":"unauthorized_client"}' }),
    'empty-grant-type-as-invalid-request: An empty grant_type gets the error `invalid_request`.': grantType(
      (type) => type === '',
      { body: '{"error":"invalid_request"}' },
    ),
  }),
  ...breaking(['4.1-R2', ...every])({
    'array-for-grant-type-by-500: A parameter `grant_type[]` gets 500.': where(
      (request) => namesIn(request).includes('grant_type[]'),
      () => failure,
    ),
    'object-members-by-500: A parameter named `hasOwnProperty` causes status 500.': where(
      (request) => namesIn(request).includes('hasOwnProperty'),
      () => failure,
    ),
  }),
  // The answers that are compared may come before and after.
  ...breaking({ violates: ['7-token-error-body'], collateral: ['4.1-R2'] })({
    'error-described-after-wrong-passwords: After three wrong passwords, the documented error has an extra member.':
      () => {
        let wrong = 0
        return {
          renderError: (body, refusal) => {
            if (refusal === 'wrong-password') wrong++
            const isDescribed = wrong >= 3 && JSON.stringify(body).includes('unsupported_grant_type')
            return JSON.stringify(isDescribed ? { error: 'unsupported_grant_type', attempts: wrong } : body)
          },
        }
      },
  }),
  ...breaking(['4.1-R1', '4.1-R2', '7-token-error-body'])({
    'json-and-empty-body-in-other-words-at-last: After 100 refusals, JSON with an empty body gets another error.':
      () => {
        let refused = 0
        return where(
          (request) => request.method === 'POST' && isR1(request) && refused > 100,
          (answer) => ({ ...answer, body: '{"error":"invalid_request"}' }),
          ({ status }) => {
            if (status >= 400) refused++
          },
        )()
      },
  }),
  ...breaking(every)({
    'multipart-by-415: A multipart body gets status 415 and a page.': where(
      ({ contentType }) => contentType?.startsWith('multipart/') === true,
      () => page(415),
    ),
    'no-content-type-by-415: A request without a Content-Type gets status 415 and a page.': where(
      ({ contentType, method }) => contentType === undefined && method === 'POST',
      () => page(415),
    ),
  }),
]

function isR1({ body, contentType }: ReceivedRequest): boolean {
  return body.length === 0 && contentType === 'application/json'
}

function page(status: number): Answer {
  return { status, headers: [['Content-Type', 'text/html']], body: '<h1>Unsupported Media Type</h1>' }
}

const failure: Answer = { status: 500, headers: [], body: '' }

function namesIn({ body, contentType }: ReceivedRequest): readonly string[] {
  if (contentType?.startsWith('application/x-www-form-urlencoded') !== true) return []
  return parseForm(body).pairs.map(([name]) => name)
}

/** @param see is shown every answer as it would be */
function where(
  is: (request: ReceivedRequest) => boolean,
  change: (answer: Answer) => Answer,
  see: (answer: Answer) => void = () => undefined,
): Mutant['behaviour'] {
  return answers((answer, request) => {
    see(answer)
    return asksForToken(request) && is(request) ? change(answer) : answer
  })
}

/** Another answer to some unsupported grant types. */
function grantType(is: (grantType: string) => boolean, part: Partial<Answer>): Override {
  return where(
    ({ body, contentType }) =>
      contentType?.startsWith('application/x-www-form-urlencoded') === true &&
      formValues(parseForm(body), 'grant_type').some(is),
    (answer) => ({ ...answer, ...part }),
  )
}
