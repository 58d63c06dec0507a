import { loadSpecification } from '../../../spec/load/specification.js'
import { vocabularyOf } from '../../evidence/describe.js'
import { ownCopy, Redactor, type Vocabulary } from '../../evidence/redact.js'
import { passwordLabel } from '../../target/account-binding.js'
import type { Declared } from './declared.js'

/** Tokens that are recognized when they are used, and passwords that went by. */
const MOST_TOKENS = 10_000
const MOST_TOKEN_CHARACTERS = 8 * 1024 * 1024
const MOST_PASSWORDS = 500
const LONGEST_PASSWORD = 1024

/** Who a token was given to. */
export interface Grant {
  /** As the request has it, in lower case. */
  readonly userName: string
  /** As the answer has it. */
  readonly answeredName: string | undefined
}

/** The secrets that went by: the oldest are forgotten. */
export class KnownSecrets {
  readonly #tokens = new Map<string, Grant>()
  #characters = 0
  readonly #passwords = new Set<string>()
  readonly #declared: readonly { readonly value: string; readonly label: string }[]
  #vocabulary: Vocabulary | undefined

  constructor({ accounts }: Declared) {
    this.#declared = accounts.map((account) => ({ value: account.password, label: passwordLabel(account) }))
  }

  grantOf(token: string): Grant | undefined {
    return this.#tokens.get(token)
  }

  isPassword(text: string): boolean {
    return this.#passwords.has(text) || this.#declared.some(({ value }) => value === text)
  }

  learnToken(token: string, grant: Grant): void {
    if (this.#tokens.has(token) || token.length > MOST_TOKEN_CHARACTERS) return
    this.#characters += token.length
    this.#tokens.set(ownCopy(token), grant)
    for (const oldest of this.#tokens.keys()) {
      if (this.#tokens.size <= MOST_TOKENS && this.#characters <= MOST_TOKEN_CHARACTERS) return
      this.#tokens.delete(oldest)
      this.#characters -= oldest.length
    }
  }

  learnPassword(password: string): void {
    if (password.length > LONGEST_PASSWORD || this.#passwords.has(password)) return
    this.#passwords.add(ownCopy(password))
    const [oldest] = this.#passwords
    if (this.#passwords.size > MOST_PASSWORDS && oldest !== undefined) this.#passwords.delete(oldest)
  }

  /** For what is shown of one exchange. Costs milliseconds: few exchanges are shown. @param own its own secrets */
  redactor(own: readonly { readonly value: string; readonly label: string }[]): Redactor {
    this.#vocabulary ??= vocabularyOf(loadSpecification())
    const passwords = [...this.#passwords].map((value) => ({ value, label: 'password' }))
    const redactor = new Redactor([...this.#declared, ...own, ...passwords], this.#vocabulary)
    for (const token of this.#tokens.keys()) redactor.learnToken(token)
    return redactor
  }
}
