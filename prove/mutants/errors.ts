import type { Refusal } from '../../reference/refusal.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { answers, changed, refusedBy, type TextChange } from './overrides.js'
import type { Override } from './rows.js'

const documented: readonly Refusal[] = ['wrong-media-type', 'no-grant-type', 'unsupported-grant-type']

/** 7: the one documented error: its status, its body, its media type. */
export const errorMutants: readonly Mutant[] = [
  ...breaking(['7-token-error-status', '4.1-R1'], (status: number) => refusedBy(status, ...documented), {
    'error-by-401: The documented error comes with status 401.': 401,
    'error-by-422: The documented error comes with status 422.': 422,
    'error-by-200: The documented error comes with status 200.': 200,
  }),
  ...breaking(['7-token-error-status', '4.1-R1', '4.1-R2'], asIs, {
    'wrong-media-type-by-415: A wrong content type gets status 415.': refusedBy(415, 'wrong-media-type'),
  }),
  ...breaking(['7-token-error-status'], asIs, {
    'xml-by-415: An XML body gets status 415.': answers((answer, { contentType = '' }) =>
      contentType.includes('xml') ? { ...answer, status: 415 } : answer,
    ),
  }),
  ...breaking(['7-token-error-body'], body, {
    'error-with-description: The documented error has a description.': (text) =>
      text.replace('}', ',"error_description":"The grant type is not supported."}'),
    'error-with-empty-description: The documented error has a description that is null.': (text) =>
      text.replace('}', ',"error_description":null}'),
    'error-with-uri: The documented error has a member `error_uri`.': (text) =>
      text.replace('}', ',"error_uri":"https://example.com/errors"}'),
    'error-twice: The documented error names its one member twice.': (text) =>
      text.replace('{', '{"error":"unsupported_grant_type",'),
    'error-after-byte-order-mark: A byte order mark comes before the documented error.': [/^/, '\ufeff'],
    'error-with-trailing-comma: A comma follows the one member of the documented error.': ['}', ',}'],
  }),
  ...breaking(['7-token-error-body', '4.1-R1'], body, {
    'error-in-capitals: The value of the documented error is in capitals.': (text) =>
      text.replace('unsupported_grant_type', 'UNSUPPORTED_GRANT_TYPE'),
    'error-with-hyphens: The value of the documented error has hyphens.': [/_/g, '-'],
    'error-in-an-array: The documented error is in an array.': [/.+/, '[$&]'],
    'error-as-list: The member `error` holds a list.': () => '{"error":["unsupported_grant_type"]}',
    'error-as-object: The member `error` holds an object.': () =>
      '{"error":{"code":"unsupported_grant_type"}}',
    'error-as-string: The documented error is a string.': () => '"unsupported_grant_type"',
    'error-named-in-capitals: The one member of the documented error is named `Error`.': ['error', 'Error'],
    'empty-error: The documented error has no body.': () => '',
    'error-in-other-words: An unsupported grant type gets the error `invalid_request`.': () =>
      '{"error":"invalid_request"}',
  }),
  ...breaking(['7-token-error-media-type'], mediaType, {
    'error-without-charset: The documented error is sent as application/json.': 'application/json',
    'error-in-utf-16: The documented error declares UTF-16.': 'application/json;charset=UTF-16',
    'error-with-misspelt-charset: The charset of the documented error is `utf8`.':
      'application/json;charset=utf8',
    'error-with-profile: The media type of the documented error has a second parameter.':
      'application/json;charset=UTF-8;profile=error',
    'error-as-problem: The documented error is sent as application/problem+json.':
      'application/problem+json;charset=UTF-8',
    'error-as-text-json: The documented error is sent as text/json.': 'text/json;charset=UTF-8',
    'error-as-html: The documented error is sent as text/html.': 'text/html;charset=UTF-8',
  }),
]

function body(change: TextChange): Override {
  return {
    renderError: (own, refusal) =>
      documented.includes(refusal)
        ? changed(change, '{"error":"unsupported_grant_type"}')
        : JSON.stringify(own),
  }
}

function mediaType(type: string): Override {
  return { errorMediaType: () => type }
}
