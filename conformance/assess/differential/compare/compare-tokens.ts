import { groupBy } from '../../../../spec/model/items.js'
import { PLAIN_LOGIN } from '../../../drivers/pair/probe.js'
import { type Role, SPENT } from '../../../drivers/pair/service-pair.js'
import { textIn } from '../../../exchange/http-response.js'
import type { ServiceSide } from '../ask/service-side.js'
import type { AnswerView } from './answer-view.js'
import type { PlaceDifference } from './compare-answers.js'
import type { Witness } from './comparer.js'

/** So many show most kinds; where they differ, so many more are asked for. */
const FEW_TOKENS = 12
const MANY_TOKENS = 48

/** Nothing else of the answers counts. */
const GRANTED: AnswerView = {
  ...{
    isRegistration: false,
    fate: 'granted',
    status: '200',
    mediaType: '',
    contentType: '',
    headers: new Map(),
  },
  ...{ body: { kind: 'leaf', type: 'empty', text: '' }, problems: '' },
}

export const JSON_WEB_TOKENS = 'JSON Web Tokens'
const ALPHABETS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['digits', /^\d+$/],
  ['hexadecimal digits', /^[\da-f]+$/i],
  ['letters and digits', /^[\da-z]+$/i],
  ['letters, digits, `-` and `_`', /^[\w-]+$/],
  [JSON_WEB_TOKENS, /^[\w-]+\.[\w-]+\.[\w-]*$/],
  ['letters, digits and signs of RFC 6750', /^[\w.~+/-]+=*$/],
  ['printable ASCII', /^[ -~]+$/],
]
/** Each is another than all others in a single token. Of letters, digits and signs, one may lack the signs by chance. */
const DISTINCT: readonly string[] = ['digits', 'hexadecimal digits', JSON_WEB_TOKENS]
/** With so many characters it does not, though one in 32 is a sign. */
const ENOUGH_CHARACTERS = 600

/** In what the tokens of both services differ, where the old one does not differ from itself so. */
export async function compareTokens(
  sides: Readonly<Record<Role, ServiceSide>>,
): Promise<Witness | undefined> {
  const few = await Promise.all([sampleTokens(sides.old, FEW_TOKENS), sampleTokens(sides.new, FEW_TOKENS)])
  if (compareSamples(...few).length === 0) return undefined
  const [moreOld, moreNew, again] = await Promise.all([
    sampleTokens(sides.old, MANY_TOKENS),
    sampleTokens(sides.new, MANY_TOKENS),
    sampleTokens(sides.again, MANY_TOKENS),
  ])
  const [old, now] = [
    [...few[0], ...moreOld],
    [...few[1], ...moreNew],
  ]
  const noise = compareSamples(old, again).map(({ at }) => at)
  const differences = compareSamples(old, now).filter(
    ({ at }) => !noise.includes(at) && !(at === 'token alphabet' && isByChance(old, now)),
  )
  if (differences.length === 0) return undefined
  const aspects = differences.map(({ at }) => at)
  const discrepancy = { about: 'value', direction: 'neither', step: 0, differences, aspects } as const
  return {
    ...{ probe: PLAIN_LOGIN, discrepancy, old: GRANTED, new: GRANTED },
    ...{ wrongly: [], isRefusedWrongly: false, refusesGrant: false },
  }
}

/** Tokens of the main account, in the order in which it got them. */
async function sampleTokens(side: ServiceSide, count: number): Promise<readonly string[]> {
  const tokens: string[] = []
  for (let asked = 0; asked < count; asked++) {
    const answer = await side.ask(PLAIN_LOGIN)
    const token = answer === SPENT ? undefined : textIn(answer.sent[0]?.response, 'access_token')
    if (token !== undefined) tokens.push(token)
  }
  return tokens
}

/**
 * In what the tokens of two sides differ. They are opaque, but clients store them: what they are made of, how long they are,
 * and whether one comes twice. Pure.
 */
function compareSamples(a: readonly string[], b: readonly string[]): readonly PlaceDifference[] {
  if (a.length === 0 || b.length === 0) return []
  return [
    { at: 'token alphabet', old: alphabetOf(a), new: alphabetOf(b) },
    {
      at: 'token length',
      old: lengthOf(a),
      new: lengthOf(b),
      shape: { old: usualLength(a), new: usualLength(b) },
    },
    { at: 'token reuse', old: reuseOf(a), new: reuseOf(b) },
  ].filter((one) => one.old !== one.new && (one.at !== 'token length' || areOfOtherLengths(a, b)))
}

function alphabetOf(tokens: readonly string[]): string {
  const known = ALPHABETS.find(([, pattern]) => tokens.every((token) => pattern.test(token)))
  return known?.[0] ?? 'any characters'
}

/** Of a token that is used again, there is one. */
function isByChance(...samples: readonly (readonly string[])[]): boolean {
  return (
    samples.every((tokens) => !DISTINCT.includes(alphabetOf(tokens))) &&
    samples.some((tokens) => [...new Set(tokens)].join('').length < ENOUGH_CHARACTERS)
  )
}

function reuseOf(tokens: readonly string[]): string {
  return new Set(tokens).size === tokens.length ? 'each is new' : 'one account gets the same again'
}

/** Up to which power of two: columns and headers are made for such lengths. */
function classOf({ length }: string): number {
  return 2 ** Math.max(5, Math.ceil(Math.log2(Math.max(length, 1))))
}

function lengthOf(tokens: readonly string[]): string {
  const classes = tokens.map(classOf)
  const [min, max] = [Math.min(...classes), Math.max(...classes)]
  return min === max ? `up to ${max} characters` : `up to ${min} and up to ${max} characters`
}

/** That of most: a rare one may be missing by chance. */
function usualLength(tokens: readonly string[]): string {
  const counts = [...groupBy(tokens, classOf)].map(([size, all]) => [size, all.length] as const)
  return String(counts.toSorted(([, a], [, b]) => b - a)[0]?.[0])
}

/** Of lengths that vary, a class may be missing by chance: a quarter of the tokens of the other side must be of others. */
const SHARE = 0.25

function areOfOtherLengths(a: readonly string[], b: readonly string[]): boolean {
  const shareOfOthers = (own: readonly string[], other: readonly string[]): number => {
    const known = new Set(other.map(classOf))
    return own.filter((token) => !known.has(classOf(token))).length / own.length
  }
  return shareOfOthers(a, b) >= SHARE || shareOfOthers(b, a) >= SHARE
}
