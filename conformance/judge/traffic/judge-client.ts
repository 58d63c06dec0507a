import { formValues, parseForm } from '../../../reference/http/form.js'
import type { Judgement } from '../../../spec/model/report.js'
import type { SeenRequest } from '../../drivers/relay/seen-exchange.js'
import { judgeRequest } from '../client/judge.js'
import { type Declared, tokenPathOf } from './declared.js'
import type { Exercised } from './exercised.js'
import type { KnownSecrets } from './known-secrets.js'

/** What the answer says of the credentials that were sent. */
export type CredentialsFound = 'right' | 'not known'

/**
 * A token request by the rules of clients. What its user name and password are to be is known of declared accounts, and of
 * what the service grants.
 */
export function judgeTokenRequest(
  request: SeenRequest,
  declared: Declared,
  { account, isGrant }: Exercised,
  found: CredentialsFound,
): readonly Judgement[] {
  const form = parseForm(request.body)
  const [userName] = formValues(form, 'username')
  const [password] = formValues(form, 'password')
  const meant = declared.accounts.find(
    (one) => one.userName === userName || garbled(one.userName).includes(userName ?? ''),
  )
  const isGarbled = meant !== undefined && garbled(meant.password).includes(password ?? '')
  const path = request.path === tokenPathOf(declared) ? '/Token' : request.path
  const judgements = judgeRequest(
    { ...request, path, headers: {}, headerNames: [] },
    { userName: meant?.userName ?? userName ?? '', password: isGarbled ? meant.password : (password ?? '') },
  )
  const isKnown = found === 'right' || account?.password === password
  return judgements.map((judgement): Judgement => {
    const { rule, outcome } = judgement
    const isOfCredentials = rule === 'client:request-username' || rule === 'client:request-password'
    if (!isOfCredentials && rule !== 'client:request-grant_type') return judgement
    if (request.bodyTooLong)
      return { rule, outcome: 'cantTell', reason: 'the body is longer than what is judged' }
    // A form that is none is judged by its media type alone, and one at another path by its path.
    if (path !== '/Token' || !isForm(judgements)) return { rule, outcome: 'inapplicable', reason: NO_FORM }
    if (outcome === 'failed' && isOfCredentials && !isGarbled && meant?.userName === userName)
      return { ...judgement, expected: 'one value that can be decoded' }
    if (!isOfCredentials || outcome !== 'passed' || isKnown) return judgement
    return { rule, outcome: 'inapplicable', reason: isGrant ? NOT_KNOWN : NO_FORM }
  })
}

const NO_FORM = 'no form with a password grant was sent to the endpoint'
const NOT_KNOWN = 'whether it is the right one is not known: declare the account'

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

/** A secret in a place where others read it. */
export interface Exposure {
  readonly what: 'password' | 'token'
  readonly where: 'url' | 'header'
  /** The header's name. */
  readonly name?: string
  readonly value: string
}

/** Whether a request shows a secret that went by before, or goes by in its body. Equal values alone: a part may be chance. */
export function findExposure(request: SeenRequest, secrets: KnownSecrets): Exposure | undefined {
  const query = parseForm(Buffer.from(request.query, 'latin1')).pairs
  for (const [name, value] of query) {
    if (secrets.grantOf(value) !== undefined) return { what: 'token', where: 'url', value }
    if (secrets.isPassword(value) && (isTelling(value) || SECRET_NAME.test(name)))
      return { what: 'password', where: 'url', value }
  }
  for (const part of request.path.split('/')) {
    const value = decoded(part)
    if (secrets.grantOf(value) !== undefined) return { what: 'token', where: 'url', value }
    if (isTelling(value) && secrets.isPassword(value)) return { what: 'password', where: 'url', value }
  }
  for (const [name, text] of request.headers) {
    for (const value of valuesIn(name, text)) {
      if (secrets.grantOf(value) !== undefined && !isBearer(name, text))
        return { what: 'token', where: 'header', name, value }
      if (secrets.isPassword(value) && (isTelling(value) || /^authorization$/i.test(name)))
        return { what: 'password', where: 'header', name, value }
    }
  }
  return undefined
}

const SECRET_NAME = /pass|pwd|secret|token/i

/** A shorter one, or a plain word, may be equal by chance. */
function isTelling(password: string): boolean {
  return password.length >= 6 && /[^A-Za-z]/.test(password) && !/^\d+$/.test(password)
}

function isBearer(name: string, text: string): boolean {
  return /^authorization$/i.test(name) && /^bearer +[^ ]+$/i.test(text)
}

/** The texts in a header that may be a secret by themselves. */
function valuesIn(name: string, text: string): readonly string[] {
  const [, credentials] = /^basic +([A-Za-z\d+/=_-]+)$/i.exec(text) ?? []
  if (credentials !== undefined) {
    const pair = Buffer.from(credentials, 'base64').toString('utf8')
    return [pair.slice(pair.indexOf(':') + 1)]
  }
  if (/^cookie$/i.test(name))
    return text.split(';').map((pair) => decoded(pair.slice(pair.indexOf('=') + 1).trim()))
  return [text, text.slice(text.indexOf(' ') + 1)]
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** 4.1: password and token are in no URL, and the password is in no header. */
export function judgeSecrets(exposure: Exposure | undefined): Judgement {
  const rule = 'client:request-secrets'
  if (exposure === undefined || (exposure.what === 'token' && exposure.where === 'header'))
    return { rule, outcome: 'passed' }
  return exposure.where === 'url'
    ? {
        rule,
        outcome: 'failed',
        message: `a ${exposure.what} is in the URL`,
        expected: 'password and token in no URL',
        actual: `a ${exposure.what} in path or query`,
      }
    : {
        rule,
        outcome: 'failed',
        message: 'the password is in a header',
        expected: 'the password in the body alone',
        actual: `in ${exposure.name}`,
      }
}

/** 2.1: how a request uses a token that went by; undefined where it uses none. */
export function judgeBearer(
  request: SeenRequest,
  exposure: Exposure | undefined,
  secrets: KnownSecrets,
): Judgement | undefined {
  const rule = 'client:request-bearer'
  if (exposure?.what === 'token')
    return {
      rule,
      outcome: 'failed',
      message: 'the token is not sent as the contract has it',
      expected: 'Authorization: Bearer and the token',
      actual: exposure.where === 'url' ? 'in the URL' : `in ${exposure.name}`,
    }
  const uses = request.headers.some(
    ([name, text]) =>
      isBearer(name, text) && secrets.grantOf(text.slice(text.lastIndexOf(' ') + 1)) !== undefined,
  )
  return uses ? { rule, outcome: 'passed' } : undefined
}
