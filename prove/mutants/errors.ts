import { specifiedBehaviour } from '../../reference/behaviour.js'
import type { Refusal } from '../../reference/refusal.js'
import { breaking, type Mutant } from './mutant.js'
import { answers, type Override } from './overrides.js'

const { errorStatus: statusOf } = specifiedBehaviour
const right = '{"error":"unsupported_grant_type"}'
const documented: readonly Refusal[] = ['wrong-media-type', 'no-grant-type', 'unsupported-grant-type']

/** 7: the one documented error: its status, its body, its media type. */
export const errorMutants: readonly Mutant[] = [
  ...breaking(['7-token-error-status', '4.1-R1'])({
    'error-by-401: The documented error comes with status 401.': status(401),
    'error-by-422: The documented error comes with status 422.': status(422),
    'error-by-200: The documented error comes with status 200.': status(200),
  }),
  ...breaking(['7-token-error-status', '4.1-R1', '4.1-R2'])({
    'wrong-media-type-by-415: A wrong content type gets status 415.': () => ({
      errorStatus: (refusal) => (refusal === 'wrong-media-type' ? 415 : statusOf(refusal)),
    }),
  }),
  ...breaking(['7-token-error-status'])({
    'xml-by-415: An XML body gets status 415.': answers((answer, { contentType = '' }) =>
      contentType.includes('xml') ? { ...answer, status: 415 } : answer,
    ),
  }),
  ...breaking(['7-token-error-body'])({
    'error-with-description: The documented error has a description.': detail((json) =>
      json.replace('}', ',"error_description":"The grant type is not supported."}'),
    ),
    'error-with-empty-description: The documented error has a description that is null.': detail((json) =>
      json.replace('}', ',"error_description":null}'),
    ),
    'error-with-uri: The documented error has a member `error_uri`.': detail((json) =>
      json.replace('}', ',"error_uri":"https://example.com/errors"}'),
    ),
    'error-twice: The documented error names its one member twice.': detail((json) =>
      json.replace('{', '{"error":"unsupported_grant_type",'),
    ),
    'error-after-byte-order-mark: A byte order mark comes before the documented error.': detail(
      (json) => `\ufeff${json}`,
    ),
    'error-with-trailing-comma: A comma follows the one member of the documented error.': detail((json) =>
      json.replace('}', ',}'),
    ),
  }),
  ...breaking(['7-token-error-body', '4.1-R1'])({
    'error-in-capitals: The value of the documented error is in capitals.': other((json) =>
      json.replace('unsupported_grant_type', 'UNSUPPORTED_GRANT_TYPE'),
    ),
    'error-with-hyphens: The value of the documented error has hyphens.': other((json) =>
      json.replaceAll('_', '-'),
    ),
    'error-in-an-array: The documented error is in an array.': other((json) => `[${json}]`),
    'error-as-list: The member `error` holds a list.': other(() => '{"error":["unsupported_grant_type"]}'),
    'error-as-object: The member `error` holds an object.': other(
      () => '{"error":{"code":"unsupported_grant_type"}}',
    ),
    'error-as-string: The documented error is a string.': other(() => '"unsupported_grant_type"'),
    'error-named-in-capitals: The one member of the documented error is named `Error`.': other((json) =>
      json.replace('error', 'Error'),
    ),
    'empty-error: The documented error has no body.': other(() => ''),
    'error-in-other-words: An unsupported grant type gets the error `invalid_request`.': other(
      () => '{"error":"invalid_request"}',
    ),
  }),
  ...breaking(['7-token-error-media-type'])({
    'error-without-charset: The documented error is sent as application/json.': type('application/json'),
    'error-in-utf-16: The documented error declares UTF-16.': type('application/json;charset=UTF-16'),
    'error-with-misspelt-charset: The charset of the documented error is `utf8`.': type(
      'application/json;charset=utf8',
    ),
    'error-with-profile: The media type of the documented error has a second parameter.': type(
      'application/json;charset=UTF-8;profile=error',
    ),
    'error-as-problem: The documented error is sent as application/problem+json.': type(
      'application/problem+json;charset=UTF-8',
    ),
    'error-as-text-json: The documented error is sent as text/json.': type('text/json;charset=UTF-8'),
    'error-as-html: The documented error is sent as text/html.': type('text/html;charset=UTF-8'),
  }),
]

function status(code: number): Override {
  return () => ({
    errorStatus: (refusal) => (documented.includes(refusal) ? code : statusOf(refusal)),
  })
}

/** A body with what the one documented field is, and more than that. */
function detail(change: (json: string) => string): Override {
  return () => ({
    renderError: (body, refusal) => (documented.includes(refusal) ? change(right) : JSON.stringify(body)),
  })
}

/** A body without the documented field. */
function other(change: (json: string) => string): Override {
  return detail(change)
}

function type(mediaType: string): Override {
  return () => ({ errorMediaType: () => mediaType })
}
