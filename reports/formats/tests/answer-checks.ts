import type { Expectation } from '../../../spec/model/expectation.js'
import { isMap, type Json } from '../../../spec/model/json.js'
import type { Judgement } from '../../../spec/model/report.js'

/** One thing that a test asks of an answer: a function of the file, and its arguments after the answer. */
export interface AnswerCheck {
  /** In words: `status is`; each language spells it as its functions are. */
  readonly name: string
  readonly args: readonly (string | number)[]
  /** The other answer that it is compared with, by the label of its request. */
  readonly other?: string
}

export const YIELDS_TOKEN = 'yields token'
export const YIELDS_NO_TOKEN = 'yields no token'

/** What checks depend on, beside the expectation. */
export interface CheckScope {
  readonly judgement: Pick<Judgement, 'expected' | 'pointer'>
  /** Those of the deployment, as they may be shown. */
  readonly accounts: readonly { readonly [name: string]: Json }[]
  /** Seconds. */
  readonly tokenLifetime: number
  /** Seconds. */
  readonly clockSkew: number
}

/** Those keys of an expectation that say when it is judged, and nothing of the answer. */
const CONDITIONS = [
  'rule',
  'of',
  'given',
  'when',
  'needs',
  'ifAccepted',
  'ifRejected',
  'orAccepted',
  'orCloses',
  'hint',
  'hintIfOtherCase',
  'hintUnlessError',
]

/** An expectation as checks that any language can make of one answer; undefined where a part of it needs the suite. */
export function answerChecks(
  expectation: Expectation,
  scope: CheckScope,
): readonly AnswerCheck[] | undefined {
  const keys = Object.keys(expectation).filter((key) => !CONDITIONS.includes(key))
  const checks = keys.map((key) => {
    const make = CHECKS[key]
    return make?.(expectation, scope)
  })
  return checks.some((own) => own === undefined) ? undefined : checks.flatMap((own) => own ?? [])
}

type MakeChecks = (expectation: Expectation, scope: CheckScope) => readonly AnswerCheck[] | undefined

const CHECKS: Readonly<Record<string, MakeChecks>> = {
  yieldsToken: ({ yieldsToken }) => [check(yieldsToken ? YIELDS_TOKEN : YIELDS_NO_TOKEN)],
  // Of a right login: any other answer than a token may be that of a gate before the service.
  found: () => [check(YIELDS_TOKEN)],
  status: ({ status = '' }) => [status === '2xx' ? check('status is success') : check('status is', status)],
  mediaType: ({ mediaType = '' }) => [check('media type is', mediaType)],
  // A member that comes twice further inside is seen by the suite alone.
  jsonObject: (_, { judgement: { pointer } }) =>
    pointer === undefined ? [check('is json object')] : undefined,
  json: ({ json = {} }) => [
    // Parsers let the last of two members count.
    ...('equals' in json
      ? [
          ...(isMap(json.equals) ? [check('is json object')] : []),
          check('json equals', text(json.equals as Json)),
        ]
      : []),
    ...('includes' in json ? [check('json includes', text(json.includes as Json))] : []),
  ],
  member: memberChecks,
  hasMembers: ({ hasMembers = [] }) => hasMembers.map((name) => check('has member', name)),
  exactNames: ({ exactNames = [] }) => exactNames.map((name) => check('has member', name)),
  span: ({ span }, { tokenLifetime }) => {
    if (span === undefined) return undefined
    const { from, to, seconds, toleranceSeconds = 0 } = span
    const wanted = seconds === '$target.tokenLifetime' ? tokenLifetime : seconds
    return typeof wanted === 'number'
      ? [check('seconds between', from, to, wanted, toleranceSeconds)]
      : undefined
  },
  nearResponseTime: ({ nearResponseTime = '' }, { clockSkew }) => [
    check('is near response time', nearResponseTime, clockSkew),
  ],
  sameAnswerAs: ({ sameAnswerAs = '' }) => [{ ...check('is same answer as'), other: sameAnswerAs }],
  emptyBody: () => [check('has no body')],
  header: ({ header }) => {
    if (header === undefined) return undefined
    const { name, ...asked } = header
    const [key = '', ...more] = Object.keys(asked)
    if (more.length > 0 || !['absent', 'equals', 'lacks'].includes(key)) return undefined
    if (header.absent !== undefined) return header.absent ? [check('lacks header', name)] : undefined
    if (header.equals !== undefined) return [check('header equals', name, header.equals)]
    return [check('header lacks', name, header.lacks ?? '')]
  },
}

function memberChecks({ member }: Expectation, scope: CheckScope): readonly AnswerCheck[] | undefined {
  const { tokenLifetime } = scope
  if (member === undefined) return undefined
  const { name, ...asked } = member
  const checks = Object.entries(asked).map(([key, value]): readonly AnswerCheck[] | undefined => {
    if (key === 'type') return [check('member is text', name)]
    if (key === 'nonEmpty') return value ? [check('member is not empty', name)] : undefined
    if (key === 'absent') return [value ? check('has no member', name) : check('has member', name)]
    if (key === 'imfFixdate') return [check('member is date', name)]
    if (key === 'follows') return [check('member follows', name, String(value))]
    if (key === 'integerOrOneLess')
      return value === '$target.tokenLifetime' ? [check('member is seconds', name, tokenLifetime)] : undefined
    if (key === 'equalsIgnoringCase') return [check('member equals ignoring case', name, String(value))]
    if (key !== 'equals') return undefined
    const wanted = String(value).startsWith('$') ? ofAccount(String(value), scope) : String(value)
    // A userId need not be declared.
    if (wanted === undefined) return Object.keys(asked).length > 1 ? [] : undefined
    return [check('member equals', name, wanted)]
  })
  return checks.some((own) => own === undefined) ? undefined : checks.flatMap((own) => own ?? [])
}

/** What an account has there, where it is clear which one: the judgement may be about another part of the expectation. */
function ofAccount(reference: string, { judgement, accounts }: CheckScope): string | undefined {
  const key = reference.replace('$account.', '')
  const values = accounts.flatMap((account) => {
    const value = account[key]
    return typeof value === 'string' && !value.includes('‹') ? [value] : []
  })
  const { expected } = judgement
  const shown = typeof expected === 'string' ? plainText(expected) : undefined
  return values.find((value) => value === shown) ?? (values.length === 1 ? values[0] : undefined)
}

/** A judgement may show a text as it is spelled in JSON. */
function plainText(shown: string): string {
  if (!/^".*"$/s.test(shown)) return shown
  try {
    return String(JSON.parse(shown))
  } catch {
    return shown
  }
}

function check(name: string, ...args: readonly (string | number)[]): AnswerCheck {
  return { name, args }
}

function text(json: Json): string {
  return JSON.stringify(json)
}
