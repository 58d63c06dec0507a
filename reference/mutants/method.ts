import { specifiedBehaviour } from '../behaviour.js'
import { isMediaType } from '../http/media-type.js'
import type { Mutant } from './mutant.js'
import { answers, asksForToken } from './overrides.js'
import { mutants, type Row } from './row.js'

const form = 'application/x-www-form-urlencoded'
/** Where the endpoint is elsewhere, nobody is let in at `/Token`. */
const nowhere = {
  violates: ['4.1-path', '1-exchange', '4.1-R3', '5-R1'],
  collateral: ['4.1-form-encoding', '8-R1'],
}

/** 4.1: POST, and `/Token`. */
export const methodMutants: readonly Mutant[] = mutants([
  allowed('get-allowed', 'A form is taken by GET too.', 'GET'),
  allowed('put-allowed', 'A form is taken by PUT too.', 'PUT'),
  allowed('patch-allowed', 'A form is taken by PATCH too.', 'PATCH'),
  allowed('delete-allowed', 'A form is taken by DELETE too.', 'DELETE'),
  {
    id: 'any-method',
    sentence: 'The method is not looked at.',
    violates: ['4.1-method'],
    behaviour: () => ({ acceptsMethod: () => true }),
  },
  {
    id: 'form-in-query-of-get',
    sentence: 'A GET may carry the form in its query.',
    violates: ['4.1-method'],
    behaviour: () => {
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
  },
  {
    id: 'query-read-too',
    sentence: 'What the form lacks is looked for in the query.',
    violates: ['4.1-R2', '4.1-password'],
    behaviour: () => ({
      formBytes: ({ query, body }) => Buffer.from(query === '' ? body : `${Buffer.from(body)}&${query}`),
    }),
  },
  {
    id: 'token-in-lower-case',
    sentence: 'The endpoint is `/token`.',
    ...nowhere,
    behaviour: () => ({ isTokenPath: (path, basePath) => path === `${basePath}/token` }),
  },
  {
    id: 'oauth-token',
    sentence: 'The endpoint is `/oauth/Token`.',
    ...nowhere,
    behaviour: () => ({ isTokenPath: (path, basePath) => path === `${basePath}/oauth/Token` }),
  },
  {
    id: 'token-with-slash',
    sentence: 'The endpoint is `/Token/`, to which `/Token` redirects.',
    ...nowhere,
    behaviour: answers((answer, request) =>
      asksForToken(request) ? { status: 308, headers: [['Location', `${request.path}/`]], body: '' } : answer,
    ),
  },
  {
    id: 'post-not-allowed',
    sentence: 'The endpoint takes the form by PUT and not by POST.',
    ...nowhere,
    behaviour: () => ({ acceptsMethod: (method) => method === 'PUT' }),
  },
])

function allowed(id: string, sentence: string, method: string): Row {
  return {
    id,
    sentence,
    violates: ['4.1-method'],
    behaviour: () => ({
      acceptsMethod: (given) => given === method || specifiedBehaviour.acceptsMethod(given),
    }),
  }
}
