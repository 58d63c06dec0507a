import type { Judgement } from '../../../spec/model/report.js'
import type { Exchange } from '../../exchange/exchange.js'
import { requestOf } from '../../exchange/http-request.js'
import { formValues, parseForm } from '../../exchange/parse-form.js'
import { judgeTokenRequests } from '../client/token-request.js'
import { type DeclaredService, tokenPathOf } from './declared.js'
import type { Exercised } from './exercised.js'

/** What the answer says of the credentials that were sent. */
export type CredentialsFound = 'right' | 'not known'

const NO_FORM = 'no form with a password grant was sent to the endpoint'
const NOT_KNOWN = 'whether it is the right one is not known: declare the account'

/**
 * A token request by the rules of clients. What its user name and password are to be is known of declared accounts, and of
 * what the service grants.
 */
export function judgeTokenRequest(
  exchange: Exchange,
  declared: DeclaredService,
  { account, isGrant }: Exercised,
  found: CredentialsFound,
): readonly Judgement[] {
  const { path, body, isBodyKept } = requestOf(exchange)
  const form = parseForm(body)
  const [userName] = formValues(form, 'username')
  const [password] = formValues(form, 'password')
  const meant = declared.accounts.find(
    (one) => one.userName === userName || garbled(one.userName).includes(userName ?? ''),
  )
  const isGarbled = meant !== undefined && garbled(meant.password).includes(password ?? '')
  const tokenPath = tokenPathOf(declared)
  const judgements = judgeTokenRequests([exchange], {
    tokenPath,
    userName: meant?.userName ?? userName ?? '',
    password: isGarbled ? meant.password : (password ?? ''),
  })
  const isKnown = found === 'right' || account?.password === password
  return judgements.map((judgement): Judgement => {
    const { rule, outcome } = judgement
    const isOfCredentials = rule === 'client:request-username' || rule === 'client:request-password'
    if (!isOfCredentials && rule !== 'client:request-grant_type') return judgement
    if (!isBodyKept)
      return { rule, outcome: 'inapplicable', reason: 'the body is longer than what is judged' }
    // A form that is none is judged by its media type alone, and one at another path by its path.
    if (path !== tokenPath || !isForm(judgements)) return { rule, outcome: 'inapplicable', reason: NO_FORM }
    if (outcome === 'failed' && isOfCredentials && !isGarbled && meant?.userName === userName)
      return { ...judgement, expected: 'one value that can be decoded' }
    if (!isOfCredentials || outcome !== 'passed' || isKnown) return judgement
    return { rule, outcome: 'inapplicable', reason: isGrant ? NOT_KNOWN : NO_FORM }
  })
}

function isForm(judgements: readonly Judgement[]): boolean {
  return judgements.some(({ rule, outcome }) => rule === 'client:request-media-type' && outcome === 'passed')
}

/** What clients make of a text that they encode wrongly, as it arrives. */
function garbled(text: string): readonly string[] {
  const encoded = new URLSearchParams([['', text]]).toString().slice(1)
  return [
    // `+` left as it is.
    text.replaceAll('+', ' '),
    // Encoded twice.
    encoded,
    encodeURIComponent(text),
    // Another charset, and UTF-8 taken for it.
    Buffer.from(text, 'utf8').toString('latin1'),
    // Cut where a separator was left as it is.
    text.split('&')[0] ?? '',
    text.trim(),
  ].filter((wrong) => wrong !== text && wrong !== '')
}
