const NAME = String.raw`(?:(?:access|refresh|id)_?)?(?:token|password|secret)(?!\w)|\bbearer(?= )`
/** What formats write between a name and its value: XML-RPC, property lists, PHP, forms in HTML or in parts. */
const WORDS =
  'value|string|text|type|hidden|name|key|xs|i|s|u|id|CDATA|quot|gt|lt|content|plain|charset|utf|\\d{1,5}'
/** Long enough for a credential. It is no name, neither of an element nor of a member. */
const VALUE = String.raw`(?<![</])(?!${NAME})[\w.~+/-]{12,}={0,2}(?![\w.~+/=-]|["']?\s{0,9}[:=])`

/*
 * Both take time in proportion to the text, also a hostile one: every repetition before a value is bounded.
 */

const AFTER_NAME = new RegExp(
  String.raw`(${NAME})((?:\s[^<>]{1,200}>)?\W{0,24}(?:(?:${WORDS})\b\W{1,24}){0,6})(${VALUE})`,
  'gi',
)
/** A field of a form in HTML, or a pair in JSON that is cut, its value first. */
const BEFORE_NAME = new RegExp(
  String.raw`(\bvalue["']?\s{0,9}[=:]\s{0,9}["']?)([\w.~+/-]{4,}={0,2})(?=["']?[\s,][^<>{}]{0,200}\b(?:name|key)["']?\s{0,9}[=:]\s{0,9}["']?[\w.-]{0,40}(${NAME}))`,
  'gi',
)
/** Words are not credentials: those have a digit, or a capital inside. */
const IS_OPAQUE = /\d|[a-z][A-Z]|^.{32}/

/** A text with what follows the name of a secret, whatever markup is between them, replaced by that name. */
export function hideNamedSecrets(text: string): string {
  return text
    .replace(AFTER_NAME, (whole, name: string, between: string, value: string) =>
      IS_OPAQUE.test(value) ? `${name}${between}‹${labelOf(name)}›` : whole,
    )
    .replace(BEFORE_NAME, (_, before: string, _value: string, name: string) => `${before}‹${labelOf(name)}›`)
}

function labelOf(name: string): string {
  return /^bearer$/i.test(name) ? 'token' : name
}
