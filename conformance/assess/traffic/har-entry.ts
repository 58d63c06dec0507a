import { HIDDEN } from '../../../spec/model/hidden-value.js'
import { isMap, type Json } from '../../../spec/model/json.js'
import type { HeaderList } from '../../../spec/model/report.js'
import {
  hasDoubtfulNames,
  hidePathParameters,
  type IsHarmless,
  placeholderOf,
  recordableHeader,
} from '../../evidence/hidden-fields.js'
import { isKnownName, isShownName } from '../../evidence/parameter-names.js'
import type { Redactor } from '../../evidence/redact.js'
import { renderExchange } from '../../evidence/render-exchange.js'
import type { Exchange } from '../../exchange/exchange.js'
import { headerValues, isMediaType } from '../../exchange/headers.js'
import { type HttpRequest, requestOf } from '../../exchange/http-request.js'
import { formValues, parseForm } from '../../exchange/parse-form.js'
import { decodeUtf8 } from '../../exchange/utf8.js'
import { type DeclaredService, shownOriginOf } from '../../judge/traffic/declared.js'
import type { SeenSecrets } from '../../judge/traffic/seen-secrets.js'
import { passwordLabel } from '../../target/account-binding.js'
import { harmlessParameters, secretsOf } from './traffic-evidence.js'

/** In the place of an origin that comes from the environment (RFC 2606, 2). */
const UNNAMED = 'http://base-url.invalid'

/** A header, or a parameter of a query, as HAR 1.2 has it. */
interface HarPair {
  readonly name: string
  readonly value: string
}

/** An entry of a HAR 1.2 file. */
export interface HarEntry {
  readonly startedDateTime: string
  readonly time: number
  readonly request: Readonly<Record<string, Json | readonly HarPair[]>>
  readonly response: Readonly<Record<string, Json | readonly HarPair[]>>
  readonly cache: Readonly<Record<string, never>>
  readonly timings: { readonly send: 0; readonly wait: number; readonly receive: 0 }
}

const FORM = 'application/x-www-form-urlencoded'
/** Of a body that is no form by its media type: only these names are written. */
const KNOWN_NAMES: ReadonlySet<string> = new Set(
  'grant_type username password client_id client_secret scope refresh_token'.split(' '),
)

/**
 * A token request and its answer as `--record FILE.har` writes them: all that makes the request what it is, with a
 * placeholder for each value that may be a secret. Undefined where the body cannot be read, so that nothing is hidden for sure.
 * @param grantedName the user name of the request, where the service grants it a token
 */
export function harEntry(
  exchange: Exchange,
  grantedName: string | undefined,
  declared: DeclaredService,
  secrets: SeenSecrets,
): HarEntry | undefined {
  const request = requestOf(exchange)
  const names = declared.accounts.map(({ userName }) => userName)
  const isUsual = harmlessParameters(grantedName === undefined ? names : [...names, grantedName])
  const isHarmless: IsHarmless = (name, value) =>
    isUsual(name, value) || (name === 'grant_type' && declared.additionalGrantTypes.includes(value))
  const redactor = secrets.redactor(secretsOf(exchange, isHarmless, secrets), grantedName)
  const shown = new ShownValues(request, declared, isHarmless, redactor)
  const body = shown.body(request)
  if (body === undefined) return undefined
  const shownOrigin = shownOriginOf(declared)
  // The format asks for a URL.
  const origin = URL.canParse(shownOrigin) ? shownOrigin : UNNAMED
  const { response, failure } = renderExchange(
    '',
    exchange,
    { author: 'anyone', origin, isHarmless },
    redactor,
  )
  const query = request.query === '' ? '' : `?${shown.pairs(request.query, encodeURIComponent)}`
  const wait = Math.round(exchange.durationMs * 1000) / 1000
  return {
    startedDateTime: new Date(exchange.startedAt).toISOString(),
    time: wait,
    request: {
      method: redactor.text(request.method),
      url: redactor.text(origin + hidePathParameters(request.path)) + query,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(
        request.headers.map(([name, value]) => [redactor.text(name), shown.header(name, value)]),
      ),
      queryString: parseForm(Buffer.from(query.slice(1))).pairs.map(([name, value]) => ({ name, value })),
      ...(request.body.length === 0
        ? {}
        : {
            postData: {
              mimeType: redactor.text(headerValues(request.headers, 'content-type')[0] ?? ''),
              text: body,
            },
          }),
      headersSize: -1,
      bodySize: request.body.length,
    },
    response: harResponse(response, failure),
    cache: {},
    timings: { send: 0, wait, receive: 0 },
  }
}

type ShownResponse = ReturnType<typeof renderExchange>['response']

/** Browsers write status 0 where no answer came. */
function harResponse(response: ShownResponse, failure: string | undefined): HarEntry['response'] {
  const body = response?.body
  const content =
    body === undefined ? {} : 'text' in body ? { text: body.text } : { text: body.base64, encoding: 'base64' }
  return {
    status: response?.status ?? 0,
    statusText: '',
    httpVersion: response === null ? '' : 'HTTP/1.1',
    cookies: [],
    headers: pairs(response?.headers ?? []),
    content: {
      size: 'text' in content ? Buffer.byteLength(String(content.text)) : 0,
      mimeType: headerValues(response?.headers ?? [], 'content-type')[0] ?? '',
      ...content,
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
    ...(failure === undefined ? {} : { comment: failure }),
  }
}

function pairs(headers: HeaderList): readonly HarPair[] {
  return headers.map(([name, value]) => ({ name, value }))
}

/** The values of one request as they may be written. */
class ShownValues {
  readonly #password: string
  readonly #isHarmless: IsHarmless
  readonly #redactor: Redactor

  constructor(
    { body, query }: HttpRequest,
    { accounts }: DeclaredService,
    isHarmless: IsHarmless,
    redactor: Redactor,
  ) {
    const sent = [body, Buffer.from(query)].flatMap((form) => formValues(parseForm(form), 'username'))
    const account = accounts.find(({ userName }) => sent.includes(userName))
    this.#password = account === undefined ? 'password' : passwordLabel(account)
    this.#isHarmless = isHarmless
    this.#redactor = redactor
  }

  header(name: string, value: string): string {
    const own = recordableHeader(name, value)
    return own === undefined ? HIDDEN : this.#redactor.text(own)
  }

  /** The body; undefined where it cannot be read. */
  body({ body, contentType, isBodyKept }: HttpRequest): string | undefined {
    if (!isBodyKept) return undefined
    const { text, isValid } = decodeUtf8(body)
    const form = parseForm(body)
    const isForm = isMediaType(contentType, FORM)
    if (text === '') return ''
    if (isForm && isValid && !form.malformed) return this.pairs(text)
    const json = parseObject(text)
    if (json !== undefined) {
      if (!Object.keys(json).every((name) => KNOWN_NAMES.has(name))) return undefined
      return JSON.stringify(
        Object.fromEntries(
          Object.entries(json).map(([name, value]) => [name, this.#known(name, String(value))]),
        ),
      )
    }
    const isKnown = !form.malformed && form.pairs.every(([name]) => KNOWN_NAMES.has(name))
    if (!isKnown || !text.includes('=')) return undefined
    return form.pairs.map(([name, value]) => `${name}=${this.#known(name, value)}`).join('&')
  }

  /** The pairs of a form or a query, spelled as they are but for what is hidden. */
  pairs(text: string, encode: (placeholder: string) => string = (placeholder) => placeholder): string {
    const isUncertain = hasDoubtfulNames(text, this.#redactor)
    return text
      .split('&')
      .map((pair) => {
        const at = pair.indexOf('=')
        const [[name = '', value = ''] = []] = parseForm(Buffer.from(pair)).pairs
        if (pair === '') return pair
        const own = pair.slice(at + 1)
        const isShown = isUncertain ? isKnownName(name) : isShownName(pair, name)
        if (at < 0 || (own === '' && !isShown)) return encode(HIDDEN)
        const shown = isShown ? this.#redactor.text(pair.slice(0, at)) : encode(HIDDEN)
        if (own === '') return `${shown}=`
        return `${shown}=${this.#isHarmless(name, value) ? this.#redactor.text(own) : encode(this.#placeholder(name))}`
      })
      .join('&')
  }

  /** All words of such a body count as secrets: the redactor would hide its names. */
  #known(name: string, value: string): string {
    const isShown = (name === 'username' || name === 'grant_type') && this.#isHarmless(name, value)
    return isShown || value === '' ? value : this.#placeholder(name)
  }

  #placeholder(name: string): string {
    return placeholderOf(name, this.#password)
  }
}

function parseObject(text: string): Readonly<Record<string, Json>> | undefined {
  try {
    const json: Json = JSON.parse(text)
    return isMap(json) ? json : undefined
  } catch {
    return undefined
  }
}
