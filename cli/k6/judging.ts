import type { Checks, MemberCheck } from '../../spec/types.js'

/** The checks that a k6 script has: what needs raw bytes, registrations or answers of other runs is left to `run`. */
export const CHECKED = [
  'status',
  'yieldsToken',
  'found',
  'mediaType',
  'jsonObject',
  'json',
  'member',
  'hasMembers',
  'exactNames',
  'span',
  'nearResponseTime',
  'advances',
  'sameAnswerAs',
] as const satisfies readonly (keyof Checks)[]

/** The parts of a member's check that a k6 script has: all. A new one is a type error here until it has. */
export const MEMBER_CHECKED: { readonly [Part in keyof Required<Omit<MemberCheck, 'name'>>]: true } = {
  type: true,
  nonEmpty: true,
  equals: true,
  equalsIgnoringCase: true,
  integerOrOneLess: true,
  imfFixdate: true,
  absent: true,
  follows: true,
  sameAs: true,
  differsFrom: true,
}

/** The part of a k6 script that judges: plain JavaScript for k6, the same decisions as `conformance/checks`. */
export const JUDGING = String.raw`
// Judges one expectation: true, false, or undefined where there is nothing to judge.
function judge(expected, answer, answers) {
  if (expected.given === 'refusal' && answer.yieldsToken) return undefined
  const success = answer.yieldsToken || (answer.status >= 200 && answer.status <= 299)
  if (expected.given === 'success' && !success) return undefined
  for (const name of Object.keys(CHECKS)) {
    if (expected[name] === undefined) continue
    const verdict = CHECKS[name](answer, expected[name], answers)
    if (verdict !== true) return verdict
  }
  return true
}

const CHECKS = {
  status: (answer, asked) =>
    asked === '2xx' ? answer.status >= 200 && answer.status <= 299 : answer.status === asked,
  yieldsToken: (answer, asked) => answer.yieldsToken === asked,
  found: (answer) => {
    if (answer.yieldsToken) return true
    const nothing = [404, 405, 410].indexOf(answer.status) >= 0 || (answer.status >= 300 && answer.status <= 399)
    return nothing ? false : undefined
  },
  mediaType: (answer, asked) => mediaType(answer.contentType) === mediaType(asked),
  jsonObject: (answer) => answer.isObject,
  json: (answer, asked) =>
    (asked.equals === undefined || same(answer.json, asked.equals)) &&
    Object.keys(asked.includes || {}).every(
      (name) => own(answer.members, name) && same(answer.members[name], asked.includes[name]),
    ),
  member: judgeMember,
  hasMembers: (answer, names) => names.every((name) => own(answer.members, name)),
  exactNames: (answer, names) => {
    const found = names.map((name) => looseName(answer, name))
    if (found.some((name, at) => name !== undefined && name !== names[at])) return false
    return found.indexOf(undefined) >= 0 ? undefined : true
  },
  span: (answer, asked) => {
    const from = dateOf(answer, asked.from)
    const to = dateOf(answer, asked.to)
    if (from === undefined || to === undefined) return undefined
    return Math.abs((to - from) / 1000 - number(asked.seconds)) <= (asked.toleranceSeconds || 0)
  },
  nearResponseTime: (answer, name) => {
    const date = dateOf(answer, name)
    if (date === undefined) return undefined
    const response = instant(answer.date)
    const skew = Math.abs(Math.trunc((date - (response === undefined ? answer.receivedAt : response)) / 1000))
    return skew <= TARGET.clockSkew
  },
  advances: (answer, asked, answers) => {
    const before = answers[asked.since] && dateOf(answers[asked.since], asked.member)
    const after = dateOf(answer, asked.member)
    if (before === undefined || after === undefined) return undefined
    return (after - before) / 1000 >= asked.atLeastSeconds
  },
  sameAnswerAs: (answer, step, answers) => {
    const other = answers[step]
    if (other === undefined) return undefined
    const sameBody = other.json === undefined ? answer.text === other.text : same(answer.json, other.json)
    return answer.status === other.status && mediaType(answer.contentType) === mediaType(other.contentType) && sameBody
  },
}

function judgeMember(answer, asked, answers) {
  const exact = own(answer.members, asked.name) ? asked.name : undefined
  if (asked.absent) return exact === undefined
  const name = exact === undefined && asked.imfFixdate ? looseName(answer, asked.name) : exact
  const relative = asked.follows !== undefined || asked.sameAs !== undefined || asked.differsFrom !== undefined
  if (name === undefined) return relative ? undefined : false
  const value = answer.members[name]
  const text = typeof value === 'string' ? value : undefined
  if (asked.type === 'string' && text === undefined) return false
  if (asked.nonEmpty && text === '') return false
  if (asked.equals !== undefined) {
    const expected = resolve(asked.equals, answer.account)
    if (expected !== undefined && text !== String(expected)) return false
  }
  if (asked.equalsIgnoringCase !== undefined) {
    if (text === undefined || text.toLowerCase() !== asked.equalsIgnoringCase.toLowerCase()) return false
  }
  if (asked.integerOrOneLess !== undefined) {
    const whole = number(asked.integerOrOneLess)
    // Digits only, in the text itself: 1.2e6 is the same number in another spelling.
    const raw = answer.text.match(new RegExp('"' + asked.name + '"\\s*:\\s*([^\\s,}]+)'))
    if (typeof value !== 'number' || (raw !== null && !/^\d+$/.test(raw[1]))) return false
    if (value !== whole && value !== whole - 1) return false
  }
  if (asked.imfFixdate && (text === undefined || instant(text) === undefined)) return false
  if (asked.follows !== undefined) {
    const earlier = looseName(answer, asked.follows)
    if (earlier === undefined) return undefined
    const names = Object.keys(answer.members)
    if (names.indexOf(name) < names.indexOf(earlier)) return false
  }
  for (const step of [asked.sameAs, asked.differsFrom]) {
    if (step === undefined) continue
    const other = answers[step]
    if (other === undefined || !own(other.members, name)) return undefined
    if (same(value, other.members[name]) !== (step === asked.sameAs)) return false
  }
  return true
}

// The member of that name, or the one in its place: other case, or another mark (or none) before it.
function looseName(answer, name) {
  if (own(answer.members, name)) return name
  const bare = (text) => text.replace(/^[^A-Za-z0-9]+/, '').toLowerCase()
  return Object.keys(answer.members).find((other) => bare(other) === bare(name))
}

function dateOf(answer, name) {
  const found = looseName(answer, name)
  return found === undefined ? undefined : instant(answer.members[found])
}

// Milliseconds since the epoch of an IMF-fixdate (RFC 9110 5.6.7), undefined of any other text.
function instant(text) {
  const match = /^([A-Z][a-z]{2}), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/.exec(String(text))
  if (match === null) return undefined
  const month = MONTHS.indexOf(match[3])
  const date = new Date(Date.UTC(+match[4], month, +match[2]))
  if (month < 0 || date.getUTCDate() !== +match[2] || DAYS[date.getUTCDay()] !== match[1]) return undefined
  if (+match[5] > 23 || +match[6] > 59 || +match[7] > 60) return undefined
  return date.getTime() + ((+match[5] * 60 + +match[6]) * 60 + +match[7]) * 1000
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

// One spelling for each media type: case, white space and quotes are free, but for the case of values.
function mediaType(text) {
  if (text === undefined) return undefined
  const parts = text.split(';').map((part) => part.trim())
  const parameters = parts.slice(1).filter((part) => part !== '').map((part) => {
    const at = part.indexOf('=')
    const name = part.slice(0, at).toLowerCase()
    const value = part.slice(at + 1).replace(/^"(.*)"$/, '$1')
    return name + '=' + (name === 'charset' ? value.toLowerCase() : value)
  })
  return [parts[0].toLowerCase()].concat(parameters.sort()).join(';')
}

function same(a, b) {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => own(b, name) && same(a[name], b[name]))
}

function number(value) {
  return Number(typeof value === 'string' ? resolve(value) : value)
}

function resolve(text, account) {
  const match = /^\$(account|target)\.(\w+)$/.exec(text)
  return match === null ? text : match[1] === 'target' ? TARGET[match[2]] : account[match[2]]
}
`
