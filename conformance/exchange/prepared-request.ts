import type { HeaderList } from '../../spec/model/report.js'
import type { WireRequest } from './exchange.js'
import type { RedactableText } from './redactable-text.js'

/** A name and a value of a form: as texts, and as spelled. */
export interface SpelledPair {
  readonly name: string
  readonly value: RedactableText
  readonly spelled: RedactableText
}

/** A request in its two forms: the bytes, and what may be shown of them. */
export interface PreparedRequest {
  readonly wire: WireRequest
  readonly method: string
  /** Path and query below the base URL, as they may be shown. */
  readonly shownPath: string
  /** As they may be shown. */
  readonly headers: HeaderList
  readonly shownBody: string | undefined
  /** Whether the body was written as JSON. */
  readonly isJson: boolean
  /** The form's pairs in the order in which they are sent, where the body is a form. */
  readonly form: readonly SpelledPair[] | undefined
  /** The user name in the form, or in the query where there is no form. */
  readonly userName: string | undefined
  /** Whether the body could have named a user at all, but for being a form. */
  readonly namesUser: boolean
}
