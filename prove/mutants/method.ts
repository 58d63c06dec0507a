import { specifiedBehaviour } from '../../reference/behaviour.js'
import { isMediaType } from '../../reference/http/media-type.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { answers, asksForToken } from './overrides.js'
import type { Override } from './rows.js'

const form = 'application/x-www-form-urlencoded'
/** Where the endpoint is elsewhere, `/Token` lets no one in. */
const nowhere = {
  violates: ['4.1-path', '1-exchange', '4.1-R3', '5-R1'],
  collateral: ['4.1-form-encoding', '8-R1'],
}

/** 4.1: POST, and `/Token`. */
export const methodMutants: readonly Mutant[] = [
  ...breaking(['4.1-method'], allowed, {
    'get-allowed: A form is taken by GET too.': 'GET',
    'put-allowed: A form is taken by PUT too.': 'PUT',
    'patch-allowed: A form is taken by PATCH too.': 'PATCH',
    'delete-allowed: A form is taken by DELETE too.': 'DELETE',
  }),
  ...breaking(['4.1-method'], asIs, {
    'any-method: The method is not looked at.': { acceptsMethod: () => true },
    'form-in-query-of-get: A GET may carry the form in its query.': () => {
      let isGet = false
      return {
        acceptsMethod: (method) => {
          isGet = method === 'GET'
          return isGet || method === 'POST'
        },
        // Asked right after the method.
        acceptsMediaType: (type) => isGet || isMediaType(type, form),
        formBytes: ({ method, query, body }) => (method === 'GET' ? Buffer.from(query) : body),
      }
    },
  }),
  ...breaking(['4.1-R2', '4.1-username', '4.1-password'], asIs, {
    'query-read-too: What the form lacks is looked for in the query.': {
      formBytes: ({ query, body }) => Buffer.from(query === '' ? body : `${Buffer.from(body)}&${query}`),
    },
  }),
  ...breaking(['4.1-R2'], asIs, {
    'query-read-for-empty-form: The query is read in the place of a form that is empty.': {
      formBytes: ({ query, body }) => (body.length === 0 ? Buffer.from(query) : body),
    },
  }),
  ...breaking(nowhere, asIs, {
    'token-in-lower-case: The endpoint is `/token`.': {
      isTokenPath: (path, basePath) => path === `${basePath}/token`,
    },
    'oauth-token: The endpoint is `/oauth/Token`.': {
      isTokenPath: (path, basePath) => path === `${basePath}/oauth/Token`,
    },
    'token-with-slash: The endpoint is `/Token/`, to which `/Token` redirects.': answers((answer, request) =>
      asksForToken(request) ? { status: 308, headers: [['Location', `${request.path}/`]], body: '' } : answer,
    ),
    'post-not-allowed: The endpoint takes the form by PUT and not by POST.': {
      acceptsMethod: (method) => method === 'PUT',
    },
  }),
]

function allowed(method: string): Override {
  return {
    acceptsMethod: (given) => given === method || specifiedBehaviour.acceptsMethod(given),
  }
}
