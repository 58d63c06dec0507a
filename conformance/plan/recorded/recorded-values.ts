import { literal } from '../../../spec/model/literal.js'
import { hideSecretMembers, isCredentialName } from '../../evidence/hidden-fields.js'
import {
  HARMLESS_NAME,
  isPassword,
  OPAQUE_NAME,
  OTHER_CREDENTIAL,
  PASSWORD,
  USER_NAME,
} from '../../evidence/parameter-names.js'
import { Redactor } from '../../evidence/redact.js'
import { isCredentialHeader } from '../../exchange/header-credentials.js'

/** What a recording is put in place of: the account that the suite signs in with, and what the target declares. */
export interface RecordingScope {
  /** Of all deployments, without a trailing slash. */
  readonly basePaths: readonly string[]
  /** Below them: `/Token`, unless the target declares another. */
  readonly tokenPath: string
  /** Parameters that the target adds to every token request. */
  readonly parameters: ReadonlySet<string>
  /** Headers that the target adds, in lower case. */
  readonly headers: ReadonlySet<string>
  readonly grantTypes: readonly string[]
}

/** So is a value that says by itself that it is no secret. */
const HARMLESS_VALUE =
  /^(?:true|false|null|on|off|yes|no|\d{1,3}(?:\.\d{1,6}){0,3}|\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?)$/i
/** In a value, what divides the pairs of a form that is not spelled as one: its first name says nothing of the rest. */
const MORE_PAIRS = /[=|\r\n]/
/** In place of a secret: `proxy --record` writes it. */
const PLACEHOLDER = /‹[^‹›]*›/
const REMOVED = '(?:redact|filter|mask|hid(?:e|den)|remov|scrub|saniti[sz]|omit|anonymi[sz]|stripp)[a-z]*'
/**
 * So do recorders, and people before they pass a recording on: `***`, `****1234`, `{{name}}`; the word alone, in brackets with
 * others, as in `[client_id redacted]`, or in capitals. A scope may be `view_hidden`.
 */
const MARKERS = [
  /^(?:[\p{P}\p{S}]{3,}|x{3,}|[^*]{0,8}\*{3,}[^*]{0,8}|\{\{[^{}]*\}\})$/iu,
  new RegExp(`^[\\p{P}\\p{S}]*${REMOVED}[\\p{P}\\p{S}]*$`, 'iu'),
  new RegExp(`^[[(<{«].{0,40}${REMOVED}.{0,40}[\\])>}»]$`, 'iu'),
  new RegExp(`^(?:[A-Z]+[ _-]){0,4}${REMOVED.toUpperCase()}(?:[ _-][A-Z]+){0,4}$`, 'u'),
]

/** What is read for a value that a recording does not have. */
export const OMITTED = '[omitted]'

/** A shorter user name is in other texts by chance. */
export const MIN_NAME = 4

/** Why a body cannot be sent. */
export const UNREADABLE = 'its body is neither a form, JSON nor parts'

export const SECRET_NAME = 'the name of a parameter may be a secret'

/** Whether a text that no one can take apart may have a secret in it. */
export function namesSecret(text: string): boolean {
  return /pass|pwd|secret|token|credential/i.test(text)
}

/** Whether a value was written in the place of another one. */
export function isMarker(value: string): boolean {
  return PLACEHOLDER.test(value) || MARKERS.some((marker) => marker.test(value))
}

/** What the values of one request become. */
export class RecordedValues {
  readonly passwords = new Set<string>()
  readonly userNames = new Set<string>()
  /** What is not sent, as a person may read it: headers and parameters by name. */
  readonly dropped = new Set<string>()
  /** What is sent with a made-up value, in the same way. */
  readonly changed = new Set<string>()
  /** Why the request cannot be sent: something in it has no replacement. */
  problem: string | undefined
  readonly #scope: RecordingScope
  readonly #grantTypes: readonly string[]
  #search: Redactor | undefined

  /** @param sent every value of the request with its name */
  constructor(scope: RecordingScope, sent: readonly (readonly [name: string, value: string])[]) {
    this.#scope = scope
    this.#grantTypes = sent.flatMap(([name, value]) => (name === 'grant_type' ? [value] : []))
    for (const [name, value] of sent) {
      if (value === '' || PLACEHOLDER.test(value)) continue
      if (isPassword(name)) this.passwords.add(value)
      else if (USER_NAME.test(name)) this.userNames.add(value)
    }
  }

  /** The template of a value; undefined where the parameter is not sent. What has none is a problem. */
  replace(name: string, value: string): string | undefined {
    if (this.#scope.parameters.has(name)) return undefined
    // As `{"name": "password", "value": "…"}` and `["password", "…"]` of JSON do.
    if (/^(?:|name|key|field|[kn])$/i.test(name) && (PASSWORD.test(value) || isCredentialName(value)))
      this.refuse('a value in it is the name of a password or another secret')
    if (this.repeatsSecret(name)) this.refuse('the name of a parameter repeats a password')
    if (/^=*$/.test(value) && OPAQUE_NAME.test(name)) this.refuse(SECRET_NAME)
    if (value === '') return ''
    const isValue = !isMarker(value)
    if (isPassword(name) || (isValue && this.passwords.has(value))) return '$account.password'
    const isUser = isValue && this.userNames.has(value)
    if (isUser && name === 'grant_type') this.refuse('its grant type repeats the user name')
    if (isUser || USER_NAME.test(name)) return '$account.userName'
    if (isCredentialName(name) || isCredentialHeader(name) || OTHER_CREDENTIAL.test(name))
      return this.#credential(name)
    if (!isValue) {
      if (name === 'grant_type') this.refuse('its grant type is not recorded')
      this.dropped.add(parameter(name))
      return undefined
    }
    // A form whose pairs are not divided by `&`, for example.
    if (hideSecretMembers(value) !== value) this.refuse(`${parameter(name)} has a password in it`)
    if (this.isHarmless(name, value)) return literal(value)
    this.changed.add(parameter(name))
    return literal(standIn(value))
  }

  /** Whether a value is sent as it was recorded: of any other, the name may be one that no list of secrets has. */
  isHarmless(name: string, value: string): boolean {
    const isNamedHarmless = HARMLESS_NAME.test(name) && !MORE_PAIRS.test(value)
    const hasName = [...this.userNames].some((own) => own.length >= MIN_NAME && value.includes(own))
    return (isNamedHarmless || HARMLESS_VALUE.test(value)) && !hasName && !this.repeatsSecret(value)
  }

  refuse(problem: string): void {
    this.problem ??= problem
  }

  /** Whether a text has a password of the request in it, in any spelling that a report is searched for. */
  repeatsSecret(text: string): boolean {
    this.#search ??= new Redactor([...this.passwords].map((value) => ({ value, label: 'password' })))
    return this.#search.text(text) !== text
  }

  hasPlaceholder(text: string): boolean {
    return PLACEHOLDER.test(text)
  }

  /** A grant that no one declares is refused, whatever its credentials are. */
  #credential(name: string): string {
    const [grantType, ...more] = this.#grantTypes
    const isRefused =
      grantType !== undefined &&
      more.length === 0 &&
      grantType !== 'password' &&
      !this.#scope.grantTypes.includes(grantType)
    if (isRefused) return 'x'
    this.refuse(`nothing can take the place of ${parameter(name)}: declare it in \`tokenRequest\``)
    return ''
  }
}

/** A client may send anything as a name. */
function parameter(name: string): string {
  return /^[\w.-]{1,40}$/.test(name) ? `\`${name}\`` : 'a parameter'
}

/** A value of the same form that tells nothing, so that who checks a form finds what was checked: a UUID, a number, a date. */
export function standIn(value: string): string {
  const isHex = /^[\da-f-]+$/i.test(value)
  const scheme = /^https?:\/\//i.exec(value)?.[0] ?? ''
  const made = value
    .slice(scheme.length)
    .replace(/\p{Lu}/gu, isHex ? 'A' : 'X')
    .replace(/\p{L}/gu, (letter) => (/[AX]/.test(letter) ? letter : isHex ? 'a' : 'x'))
    .replace(/\p{N}/gu, '1')
  return scheme + made
}
