import { loadSpecification } from '../../../spec/load/specification.js'
import { HIDDEN } from '../../../spec/model/hidden-value.js'
import { vocabularyWith } from '../../evidence/describe.js'
import { issuedSecrets } from '../../evidence/issued-secrets.js'
import { ownCopy } from '../../evidence/own-copy.js'
import { Redactor } from '../../evidence/redact.js'
import type { Exchange } from '../../exchange/exchange.js'
import { decoded } from '../../exchange/form.js'
import { headerValues } from '../../exchange/headers.js'
import type { HttpResponse } from '../../exchange/http-response.js'
import { passwordLabel } from '../../target/account-binding.js'
import type { Secret } from '../../target/deployment.js'
import { withExcerpts } from '../../target/password-excerpts.js'
import { isDistinctive, type SecretLookup } from '../client/exposed-secrets.js'
import { basicPasswords, sentCredentials } from '../client/sent-values.js'
import type { DeclaredService } from './declared.js'

/** Tokens that are recognized when they are used, and passwords that went by. */
const MAX_TOKENS = 10_000
const MAX_TOKEN_CHARACTERS = 8 * 1024 * 1024
const MAX_PASSWORDS = 500
const MAX_PASSWORD_LENGTH = 1024
const PASSWORD = /password$/i
/** A declared password of this length that is no plain word is in no text by chance. */
const MIN_DISTINCTIVE = 12
/** Only such a token is looked for inside longer texts: a shorter one, as of a stub, may be a word; no longer one is in a head. */
const SOUGHT = { min: 16, max: 16 * 1024 }

export interface ObservedGrant {
  /** As the request has it, in lower case. */
  readonly userName: string
  /** As the answer has it. */
  readonly answeredName: string | undefined
}

/** The secrets that went by: the oldest are forgotten. */
export class SeenSecrets implements SecretLookup {
  setsTokenCookie = false
  readonly #distinctive: Redactor
  readonly #tokens = new Map<string, ObservedGrant | undefined>()
  #characters = 0
  /** Each has itself for a label. */
  readonly #issued = new Redactor([])
  readonly #passwords = new Set<string>()
  /** Of clients themselves, and tokens of others: nothing is judged by them. */
  readonly #others = new Set<string>()
  /** Of services, by the names that they give them. */
  readonly #named = new Set<string>()
  readonly #declared: readonly { readonly value: string; readonly label: string }[]
  readonly #service: DeclaredService

  constructor(service: DeclaredService) {
    this.#service = service
    this.#declared = service.accounts.map((account) => ({
      value: account.password,
      label: passwordLabel(account),
    }))
    this.#distinctive = new Redactor(
      this.#declared.filter(({ value }) => value.length >= MIN_DISTINCTIVE && isDistinctive(value)),
    )
  }

  isToken(text: string): boolean {
    return this.#tokens.has(text)
  }

  grantOf(token: string): ObservedGrant | undefined {
    return this.#tokens.get(token)
  }

  isPassword(text: string): boolean {
    return this.#passwords.has(text) || this.#declared.some(({ value }) => value === text)
  }

  shows(what: 'password' | 'token', text: string): boolean {
    if (what === 'password') return this.#distinctive.text(text) !== text
    if (this.#tokens.size === 0 || text.length < SOUGHT.min) return false
    // A forgotten one may be sent as it should be.
    return this.#issued.tokensIn(text).some((token) => token.length >= SOUGHT.min && this.#tokens.has(token))
  }

  /** @param grant undefined: of a request that does not say whose it is */
  learnToken(token: string, grant?: ObservedGrant): void {
    if (this.#tokens.get(token) !== undefined || token.length > MAX_TOKEN_CHARACTERS) return
    if (this.#tokens.has(token)) {
      this.#tokens.set(token, grant)
      return
    }
    this.#characters += token.length
    const own = ownCopy(token)
    this.#tokens.set(own, grant)
    this.#issued.learnToken(own, own.length > SOUGHT.max ? '' : own)
    for (const oldest of this.#tokens.keys()) {
      if (this.#tokens.size <= MAX_TOKENS && this.#characters <= MAX_TOKEN_CHARACTERS) return
      this.#tokens.delete(oldest)
      this.#characters -= oldest.length
    }
  }

  /** The secrets of a token request, in whatever form it sends them: a service may repeat them later. */
  learnSent(exchange: Exchange): void {
    for (const [name, value] of sentCredentials(exchange))
      remember(PASSWORD.test(name) ? this.#passwords : this.#others, value)
    for (const value of basicPasswords(exchange)) remember(this.#others, value)
  }

  /** What an answer names a secret: it may repeat it. */
  learnIssued(exchange: Exchange, response: HttpResponse): void {
    const names = this.#service.accounts.map(({ userName }) => userName)
    for (const secret of issuedSecrets(response, exchange, names))
      if (!this.isToken(secret)) remember(this.#named, secret)
  }

  /** Whether an answer puts a token that went by into a cookie. */
  learnCookies({ response }: Exchange): void {
    this.setsTokenCookie ||= headerValues(response?.headers ?? [], 'set-cookie').some((cookie) => {
      const [pair = ''] = cookie.split(';')
      return this.shows('token', pair) || this.isToken(decoded(pair.slice(pair.indexOf('=') + 1)))
    })
  }

  /**
   * For what is shown of one exchange. Costs milliseconds: few exchanges are shown.
   * @param own its own secrets
   * @param grantedName the user name that is shown of it
   */
  redactor(own: readonly Secret[], grantedName: string | undefined): Redactor {
    const named = grantedName === undefined ? [] : [{ userName: grantedName, password: '' }]
    const service = { ...this.#service, accounts: [...this.#service.accounts, ...named] }
    const vocabulary = vocabularyWith([service], loadSpecification())
    const declared = this.#declared.flatMap(({ value, label }) => labelled(withExcerpts(value), label))
    const passwords = labelled([...this.#passwords].flatMap(withExcerpts), 'password')
    const others = [...this.#others, ...this.#named]
    const secrets = [
      ...declared,
      ...this.#service.secrets,
      ...own,
      ...passwords,
      ...labelled(others, 'secret'),
    ]
    const redactor = new Redactor(secrets, vocabulary, this.#issued)
    // A service may quote the beginning of one, as of a refresh token.
    for (const value of others) if (value.length > SOUGHT.min) redactor.learnToken(value, HIDDEN)
    return redactor
  }
}

function labelled(values: readonly string[], label: string): readonly Secret[] {
  return values.map((value) => ({ value, label }))
}

function remember(secrets: Set<string>, value: string): void {
  if (value === '' || value.length > MAX_PASSWORD_LENGTH || secrets.has(value)) return
  secrets.add(ownCopy(value))
  const [oldest] = secrets
  if (secrets.size > MAX_PASSWORDS && oldest !== undefined) secrets.delete(oldest)
}
