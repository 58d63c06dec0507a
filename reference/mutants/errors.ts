import { specifiedBehaviour } from '../behaviour.js'
import type { Refusal } from '../refusal.js'
import type { Mutant } from './mutant.js'
import { mutants, type Row } from './row.js'

const { errorStatus: statusOf } = specifiedBehaviour
const right = '{"error":"unsupported_grant_type"}'
const documented: readonly Refusal[] = ['wrong-media-type', 'no-grant-type', 'unsupported-grant-type']

/** 7: the one documented error: its status, its body, its media type. */
export const errorMutants: readonly Mutant[] = mutants([
  status('error-by-401', 'The documented error comes with status 401.', 401),
  status('error-by-422', 'The documented error comes with status 422.', 422),
  status('error-by-200', 'The documented error comes with status 200.', 200),
  {
    id: 'wrong-media-type-by-415',
    sentence: 'A wrong content type is answered by status 415.',
    violates: ['7-token-error-status', '4.1-R1', '4.1-R2'],
    behaviour: () => ({
      errorStatus: (refusal) => (refusal === 'wrong-media-type' ? 415 : statusOf(refusal)),
    }),
  },
  detail('error-with-description', 'The documented error has a description.', (json) =>
    json.replace('}', ',"error_description":"The grant type is not supported."}'),
  ),
  detail('error-with-empty-description', 'The documented error has a description that is null.', (json) =>
    json.replace('}', ',"error_description":null}'),
  ),
  detail('error-with-uri', 'The documented error has a member `error_uri`.', (json) =>
    json.replace('}', ',"error_uri":"https://example.com/errors"}'),
  ),
  detail('error-twice', 'The documented error names its one member twice.', (json) =>
    json.replace('{', '{"error":"unsupported_grant_type",'),
  ),
  detail(
    'error-after-byte-order-mark',
    'A byte order mark stands before the documented error.',
    (json) => `\ufeff${json}`,
  ),
  detail(
    'error-with-trailing-comma',
    'A comma stands after the one member of the documented error.',
    (json) => json.replace('}', ',}'),
  ),
  other('error-in-capitals', 'The value of the documented error is in capitals.', (json) =>
    json.replace('unsupported_grant_type', 'UNSUPPORTED_GRANT_TYPE'),
  ),
  other('error-with-hyphens', 'The value of the documented error has hyphens.', (json) =>
    json.replaceAll('_', '-'),
  ),
  other('error-in-an-array', 'The documented error is in an array.', (json) => `[${json}]`),
  other('error-as-list', 'The member `error` holds a list.', () => '{"error":["unsupported_grant_type"]}'),
  other(
    'error-as-object',
    'The member `error` holds an object.',
    () => '{"error":{"code":"unsupported_grant_type"}}',
  ),
  other('error-as-string', 'The documented error is a string.', () => '"unsupported_grant_type"'),
  other('error-named-in-capitals', 'The one member of the documented error is named `Error`.', (json) =>
    json.replace('error', 'Error'),
  ),
  other('empty-error', 'The documented error has no body.', () => ''),
  other(
    'error-in-other-words',
    'A wrong grant type is answered by `invalid_request`.',
    () => '{"error":"invalid_request"}',
  ),
  type('error-without-charset', 'The documented error is sent as application/json.', 'application/json'),
  type('error-in-utf-16', 'The documented error is said to be in UTF-16.', 'application/json;charset=UTF-16'),
  type(
    'error-with-misspelt-charset',
    'The charset of the documented error is `utf8`.',
    'application/json;charset=utf8',
  ),
  type(
    'error-with-profile',
    'The media type of the documented error has a second parameter.',
    'application/json;charset=UTF-8;profile=error',
  ),
  type(
    'error-as-problem',
    'The documented error is sent as application/problem+json.',
    'application/problem+json;charset=UTF-8',
  ),
  type('error-as-text-json', 'The documented error is sent as text/json.', 'text/json;charset=UTF-8'),
  type('error-as-html', 'The documented error is sent as text/html.', 'text/html;charset=UTF-8'),
])

function status(id: string, sentence: string, code: number): Row {
  return {
    id,
    sentence,
    violates: ['7-token-error-status', '4.1-R1'],
    behaviour: () => ({
      errorStatus: (refusal) => (documented.includes(refusal) ? code : statusOf(refusal)),
    }),
  }
}

/** A body with what the one documented field is, and more than that. */
function detail(id: string, sentence: string, change: (json: string) => string): Row {
  return {
    id,
    sentence,
    violates: ['7-token-error-body'],
    behaviour: () => ({
      renderError: (body, refusal) => (documented.includes(refusal) ? change(right) : JSON.stringify(body)),
    }),
  }
}

/** A body without the documented field. */
function other(id: string, sentence: string, change: (json: string) => string): Row {
  return { ...detail(id, sentence, change), violates: ['7-token-error-body', '4.1-R1'] }
}

function type(id: string, sentence: string, mediaType: string): Row {
  return {
    id,
    sentence,
    violates: ['7-token-error-media-type'],
    behaviour: () => ({ errorMediaType: () => mediaType }),
  }
}
