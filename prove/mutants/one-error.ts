import type { Answer } from '../../reference/http/answer.js'
import { formValues, parseForm } from '../../reference/http/form.js'
import type { ReceivedRequest } from '../../reference/http/received-request.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { answers, asksForToken, carriesToken, FAILURE, refusedBy } from './overrides.js'
import type { Override } from './rows.js'

const every = ['7-token-error-status', '7-token-error-body', '7-token-error-media-type']
const invalidRequest = { body: '{"error":"invalid_request"}' }
const page: Answer = {
  status: 415,
  headers: [['Content-Type', 'text/html']],
  body: '<h1>Unsupported Media Type</h1>',
}

/** 4.1-R1, 4.1-R2, 7: the documented error where it is right almost everywhere. */
export const oneErrorMutants: readonly Mutant[] = [
  ...breaking(['4.1-R1', '4.1-R2', '7-token-error-status'], asIs, {
    'json-and-empty-body-by-411: application/json with an empty body gets status 411.': where(isR1, {
      status: 411,
    }),
  }),
  ...breaking(['4.1-R1', '4.1-R2', '7-token-error-body'], asIs, {
    'json-and-empty-body-as-invalid-request: JSON with an empty body gets the error `invalid_request`.':
      where(isR1, invalidRequest),
  }),
  ...breaking(['4.1-R2', '7-token-error-status'], asIs, {
    'no-grant-type-by-422: A form without grant_type gets status 422.': refusedBy(422, 'no-grant-type'),
  }),
  ...breaking(['4.1-R2', '7-token-error-body'], asIs, {
    'no-grant-type-as-invalid-request: A form without grant_type gets the error `invalid_request`.': {
      renderError: (body, refusal) =>
        JSON.stringify(refusal === 'no-grant-type' ? { error: 'invalid_request' } : body),
    },
  }),
  ...breaking(['4.1-R2', '7-token-error-body'], asIs, {
    'user-name-alone-as-invalid-request: A form with a user name alone gets the error `invalid_request`.':
      where(({ body }) => /^username=[^&]*$/.test(`${body}`), invalidRequest),
  }),
  ...breaking(['4.1-R2', '7-token-error-media-type'], asIs, {
    'no-grant-type-without-charset: The answer to a form without grant_type is sent as application/json.': {
      errorMediaType: (refusal) =>
        refusal === 'no-grant-type' ? 'application/json' : 'application/json;charset=UTF-8',
    },
  }),
  ...breaking(['4.1-R2', '7-token-error-body'], asIs, {
    'empty-form-as-invalid-request: An empty form gets the error `invalid_request`.': where(
      (request) => request.body.length === 0 && isForm(request),
      invalidRequest,
    ),
  }),
  ...breaking(every, grantType, {
    'long-grant-type-by-413: A grant_type of more than 100 characters gets 413.': [
      /.{101}/s,
      { ...FAILURE, status: 413 },
    ],
    'nul-by-500: A NUL in grant_type gets 500.': [/\0/, FAILURE],
    'non-ascii-by-500: A grant_type with other than ASCII characters gets 500.': [/[^\0-\x7f]/, FAILURE],
  }),
  ...breaking(['7-token-error-body'], grantType, {
    'refresh-token-as-invalid-grant: refresh_token gets the error `invalid_grant`.': [
      /^refresh_token$/,
      { body: '{"error":"invalid_grant"}' },
    ],
    'client-credentials-as-unauthorized-client: client_credentials gets the error `unauthorized_client`.': [
      /^client_credentials$/,
      { body: '{"error":"unauthorized_client"}' },
    ],
    'empty-grant-type-as-invalid-request: An empty grant_type gets the error `invalid_request`.': [
      /^$/,
      invalidRequest,
    ],
  }),
  ...breaking(['4.1-R2', ...every], failingFor, {
    'array-for-grant-type-by-500: A parameter `grant_type[]` gets 500.': 'grant_type[]',
    'object-members-by-500: A parameter named `hasOwnProperty` causes status 500.': 'hasOwnProperty',
  }),
  // The answers that are compared may come before and after.
  ...breaking({ violates: ['7-token-error-body'], collateral: ['4.1-R2'] }, asIs, {
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
  ...breaking(['4.1-R1', '4.1-R2', '7-token-error-body'], asIs, {
    'json-and-empty-body-in-other-words-at-last: After 100 refusals, JSON with an empty body gets another error.':
      () => {
        let refused = 0
        return answers((answer, request) => {
          if (answer.status >= 400) refused++
          const isDue = refused > 100 && request.method === 'POST' && isR1(request)
          return isDue && asksForToken(request) ? { ...answer, ...invalidRequest } : answer
        })
      },
  }),
  ...breaking(['7-token-error-body'], asIs, {
    'grant-type-after-credentials: An unsupported grant_type with wrong credentials gets the error `invalid_grant`.':
      () => {
        const granted = new Set<string>()
        return answers((answer, request) => {
          const form = parseForm(request.body)
          const [type] = formValues(form, 'grant_type')
          const login = ['username', 'password'].flatMap((name) => formValues(form, name)).join()
          if (carriesToken(answer)) granted.add(login)
          const isRefused = type === 'unsupported' && !granted.has(login)
          return isRefused ? { ...answer, body: '{"error":"invalid_grant"}' } : answer
        })
      },
  }),
  ...breaking(['7-token-error-body'], asIs, {
    'no-content-type-and-no-body-as-invalid-request: A bare POST gets the error `invalid_request`.': where(
      ({ contentType, method, body }) => contentType === undefined && method === 'POST' && body.length === 0,
      invalidRequest,
    ),
  }),
  ...breaking(['7-token-error-body'], asIs, {
    'username-before-grant-type: A form without a username gets the error `invalid_request`, whatever its grant_type.':
      where((request) => {
        const form = parseForm(request.body)
        const isLeftOut = formValues(form, 'username').length === 0
        return isForm(request) && isLeftOut && formValues(form, 'grant_type').length > 0
      }, invalidRequest),
  }),
  ...breaking(['7-token-error-status'], asIs, {
    'json-with-charset-and-no-body-by-415: JSON with a charset and an empty body gets status 415.': where(
      ({ contentType, body }) => /^application\/json *;/.test(contentType ?? '') && body.length === 0,
      { status: 415 },
    ),
    'json-in-another-charset-by-415: JSON with a charset other than UTF-8 gets status 415.': where(
      ({ contentType }) => /^application\/json;.*charset=(?!utf-8)/i.test(contentType ?? ''),
      { status: 415 },
    ),
    'text-and-no-body-by-411: Text with an empty body gets status 411.': where(
      ({ contentType, body }) => contentType?.startsWith('text/') === true && body.length === 0,
      { status: 411 },
    ),
  }),
  ...breaking(every, asIs, {
    'multipart-by-415: A multipart body gets status 415 and a page.': where(
      ({ contentType }) => contentType?.startsWith('multipart/') === true,
      page,
    ),
    'multipart-without-boundary-by-500: A multipart body without a boundary gets status 500 and a page.':
      where(({ contentType }) => contentType === 'multipart/form-data', { ...page, status: 500 }),
    'no-content-type-by-415: A request without a Content-Type gets status 415 and a page.': where(
      ({ contentType, method }) => contentType === undefined && method === 'POST',
      page,
    ),
  }),
]

function isR1({ body, contentType }: ReceivedRequest): boolean {
  return body.length === 0 && contentType === 'application/json'
}

function isForm({ contentType }: ReceivedRequest): boolean {
  return contentType?.startsWith('application/x-www-form-urlencoded') === true
}

/** Another answer to some token requests. */
function where(is: (request: ReceivedRequest) => boolean, part: Partial<Answer>): Override {
  return answers((answer, request) =>
    asksForToken(request) && is(request) ? { ...answer, ...part } : answer,
  )
}

function grantType([test, part]: readonly [test: RegExp, part: Partial<Answer>]): Override {
  return where(
    (request) =>
      isForm(request) && formValues(parseForm(request.body), 'grant_type').some((type) => test.test(type)),
    part,
  )
}

function failingFor(parameter: string): Override {
  return where(
    (request) => isForm(request) && parseForm(request.body).pairs.some(([name]) => name === parameter),
    FAILURE,
  )
}
