import type { Judgement, ReportExchange } from '../../../spec/model/report.js'
import type { IsHarmless } from '../../evidence/hidden-fields.js'
import { isShownName } from '../../evidence/parameter-names.js'
import { renderExchange } from '../../evidence/render-exchange.js'
import type { Exchange } from '../../exchange/exchange.js'
import { credentialsIn } from '../../exchange/header-credentials.js'
import { isMediaType } from '../../exchange/headers.js'
import { requestOf } from '../../exchange/http-request.js'
import { parseForm } from '../../exchange/parse-form.js'
import { decodeUtf8 } from '../../exchange/utf8.js'
import { findExposures } from '../../judge/client/exposed-secrets.js'
import { sentCredentials, sentValues } from '../../judge/client/sent-values.js'
import { type DeclaredService, shownOriginOf } from '../../judge/traffic/declared.js'
import type { SeenSecrets } from '../../judge/traffic/seen-secrets.js'

const GRANT_TYPES = ['password', 'refresh_token', 'client_credentials', 'authorization_code']

/** An exchange as it may be shown, and each judgement about it as it may be shown. */
export interface ShownTraffic {
  readonly exchange: ReportExchange
  readonly judgements: ReadonlyMap<Judgement, Judgement>
}

/**
 * An exchange that went by as the report may show it. Nothing of a request is shown that may be a secret: its secrets are
 * not declared, as those of the suite's own requests are.
 * @param grantedName the user name of the request, where the service grants it a token
 */
export function trafficEvidence(
  exchange: Exchange,
  judgements: readonly Judgement[],
  label: string,
  grantedName: string | undefined,
  declared: DeclaredService,
  secrets: SeenSecrets,
): ShownTraffic {
  const isHarmless = harmlessParameters([
    ...declared.accounts.map(({ userName }) => userName),
    ...(grantedName === undefined ? [] : [grantedName]),
  ])
  const redactor = secrets.redactor(secretsOf(exchange, isHarmless, secrets), grantedName)
  const origin = shownOriginOf(declared)
  const shown = judgements.map((judgement) => {
    const { rule, outcome, ...words } = judgement
    return [judgement, { rule, outcome, ...redactor.value(words) }] as const
  })
  // The redactor itself is not kept: it has every secret that went by.
  return {
    exchange: renderExchange(label, exchange, { author: 'anyone', origin, isHarmless }, redactor),
    judgements: new Map(shown),
  }
}

/** Of a body that cannot be read, or of an answer. */
const MAX_VALUES = 1000
const MAX_UNREAD = 64 * 1024
/** A shorter one is in other texts by chance. */
const WORD = /[^\s"'&=<>{}[\],;:%\ufffd]{6,}/g

/**
 * What this exchange alone may hold: every value of its body that does not say who asks for what, the credentials in its
 * headers, and its tokens. A service may repeat each of them in its answer.
 */
export function secretsOf(exchange: Exchange, isHarmless: IsHarmless, secrets: SeenSecrets) {
  const sent = sentValues(exchange).flatMap(([name, value]) =>
    isHarmless(name, value) ? [] : [{ value, label: name === 'password' ? name : 'value of a body' }],
  )
  const unread = unreadValues(exchange).flatMap((value) =>
    isHarmless('username', value) ? [] : [{ value, label: 'value of a body' }],
  )
  const answer = decodeUtf8(exchange.response?.body ?? new Uint8Array()).text
  const issued = answer.matchAll(/"[\w.]*token"\s*:\s*"([^"\\]+)"/g)
  const tokens = [...issued].slice(0, MAX_VALUES).map(([, value = '']) => ({ value, label: 'token' }))
  const exposed = findExposures(exchange, secrets).flatMap(({ what, value }) =>
    value === undefined ? [] : [{ value, label: what }],
  )
  const inHeaders = credentialsIn(exchange.request.headers).map((value) => ({
    value,
    label: 'value of a header',
  }))
  const named = sentCredentials(exchange).map(([, value]) => ({ value, label: 'value of a parameter' }))
  return [...sent, ...named, ...unread, ...inHeaders, ...tokens, ...exposed]
}

/**
 * What may be a secret in a body that is no form, or one with a pair that cannot be decoded: all its words, also as a
 * service leaves them that decodes what it can; of a form, names that no form has.
 */
function unreadValues(exchange: Exchange): readonly string[] {
  const { contentType, body } = requestOf(exchange)
  const isForm = isMediaType(contentType, 'application/x-www-form-urlencoded')
  const form = parseForm(body)
  // Such as JSON that is escaped as a whole, which is a name to a form, or what follows `&` in a password.
  const names = decodeUtf8(body)
    .text.split('&', MAX_VALUES)
    .flatMap((pair) => {
      const [[name] = ['']] = parseForm(Buffer.from(pair)).pairs
      return isShownName(pair, name) ? [] : [name, ...wordsOf(name)]
    })
  if (isForm && !form.malformed) return names.slice(0, MAX_VALUES)
  const text = decodeUtf8(body).text.slice(0, MAX_UNREAD)
  const pairs = text.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1))
  const undecoded = isForm ? pairs.filter((value) => parseForm(Buffer.from(value)).malformed) : []
  const words = [text, ...undecoded.map(decodeLoosely)].flatMap(wordsOf)
  return [...undecoded, ...undecoded.map(decodeLoosely), ...words, ...names].slice(0, MAX_VALUES)
}

function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? []
}

/** Without the escapes that are none, and with U+FFFD for bytes that are no UTF-8. */
function decodeLoosely(value: string): string {
  const bytes = value.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return decodeUtf8(Buffer.from(bytes, 'latin1')).text.replaceAll('+', ' ')
}

/** A client may send anything as anything: a user name is one where it is known to be. */
export function harmlessParameters(userNames: readonly string[]): IsHarmless {
  return (name, value) =>
    (name === 'grant_type' && GRANT_TYPES.includes(value.trim().toLowerCase())) ||
    (name === 'username' && userNames.includes(value)) ||
    name === 'client_id' ||
    name === 'scope'
}
