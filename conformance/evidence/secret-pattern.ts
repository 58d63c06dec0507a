/**
 * The source of a regular expression that finds a text in any spelling: raw, percent- or form-encoded, escaped in JSON or
 * HTML, also where some characters are escaped and others are not; and in base64.
 */
export function secretPattern(value: string): string {
  return [[...value].map(characterPattern).join(''), ...base64Of(value).map(escaped)].join('|')
}

/** JSON inside a string of JSON escapes the backslash once more. */
const BACKSLASHES = '\\\\{1,3}'

/** One character in all of its spellings. Hexadecimal digits have no case. */
function characterPattern(char: string): string {
  const code = char.codePointAt(0) ?? 0
  const bytes = [...Buffer.from(char.toWellFormed(), 'utf8')]
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at))
  const spellings = [
    escaped(char),
    bytes.map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`).join(''),
    units.map((unit) => `${BACKSLASHES}u${anyCase(unit.toString(16).padStart(4, '0'))}`).join(''),
    `&#0*${code};`,
    `&#[xX]0*${anyCase(code.toString(16))};`,
    ...(char === ' ' ? ['\\+'] : []),
    ...(SHORT_ESCAPES[char] ?? []).map((spelling) =>
      spelling.startsWith('\\') ? BACKSLASHES + escaped(spelling.slice(1)) : escaped(spelling),
    ),
  ]
  return `(?:${spellings.join('|')})`
}

/** Of JSON, and the named ones of HTML. */
const SHORT_ESCAPES: Readonly<Record<string, readonly string[]>> = {
  '"': ['\\"', '&quot;'],
  '\\': ['\\\\'],
  '/': ['\\/'],
  '\b': ['\\b'],
  '\f': ['\\f'],
  '\n': ['\\n'],
  '\r': ['\\r'],
  '\t': ['\\t'],
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  "'": ['&apos;'],
}

/** Base64 of the value, also where it stands inside a longer text (as in `user:password`). */
function base64Of(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8')
  const whole = bytes.toString('base64')
  const inner = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and the last group hold bits of the neighbours.
    return text.slice(shift === 0 ? 0 : 4, text.length - (text.length % 4 === 0 ? 0 : 1))
  })
  const spellings = [whole, ...inner].flatMap((text) => [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
  ])
  return [...new Set(spellings)]
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
