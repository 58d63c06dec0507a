import type { Behaviour } from '../../../reference/behaviour.js'
import { createClock } from '../../../reference/clock.js'
import type { Answer, Delivery } from '../../../reference/http/answer.js'
import type { ReferenceServerOptions } from '../../../reference/server.js'
import {
  type Member,
  newAccessToken,
  renderMembers,
  tokenMembers,
} from '../../../reference/token-response.js'
import type { LegalAnswer } from '../../../spec/generated/types/client-scenarios.js'

type Given<Key extends keyof LegalAnswer> = NonNullable<LegalAnswer[Key]>

/** The reference server that answers a sign-in so; of several answers, later ones win, and all change the members. */
export function legalAnswer(answers: readonly LegalAnswer[]): ReferenceServerOptions {
  const last = <Key extends keyof LegalAnswer>(key: Key): LegalAnswer[Key] | undefined =>
    answers.findLast((answer) => answer[key] !== undefined)?.[key]
  const json = last('json')
  const mediaType = last('mediaType')
  const delivery = last('delivery')
  const token = last('token')
  const tokenLifetime = last('tokenLifetime')
  const issued = last('issued')
  const behaviour: Partial<Behaviour> = {
    tokenMembers: (grant) => answers.reduce(changeMembers, tokenMembers(grant)),
    ...(json === undefined ? {} : { renderMembers: RENDERED[json] }),
    ...(mediaType === undefined ? {} : { successMediaType: () => mediaType }),
    ...(delivery === undefined ? {} : { deliver: (answer) => deliver(answer, delivery) }),
    ...(token === undefined ? {} : { newAccessToken: () => tokenAs(token) }),
    ...(last('expiresIn') === undefined ? {} : { expiresIn: (lifetimeSeconds) => lifetimeSeconds }),
  }
  return {
    behaviour,
    ...(last('includesUserId') === undefined ? {} : { includesUserId: true }),
    ...(tokenLifetime === undefined ? {} : { tokenLifetime }),
    ...(issued === undefined ? {} : { clock: createClock(() => issuedAt(issued)) }),
  }
}

function changeMembers(members: readonly Member[], answer: LegalAnswer): readonly Member[] {
  const { memberOrder, membersBefore = {}, membersAfter = {}, fillersBefore = 0 } = answer
  const fillers = Array.from({ length: fillersBefore }, (_, n): Member => [`x${n}`, n])
  const ordered = memberOrder === undefined ? members : inOrder(members, memberOrder)
  return [...Object.entries(membersBefore), ...fillers, ...ordered, ...Object.entries(membersAfter)]
}

function inOrder(members: readonly Member[], order: Given<'memberOrder'>): readonly Member[] {
  if (order === 'reversed') return members.toReversed()
  const moved = 'first' in order ? order.first : order.last
  const others = members.filter(([name]) => name !== moved)
  const own = members.filter(([name]) => name === moved)
  return 'first' in order ? [...own, ...others] : [...others, ...own]
}

const RENDERED: Readonly<Record<Given<'json'>, Behaviour['renderMembers']>> = {
  indented: (all) => `${JSON.stringify(Object.fromEntries(all), undefined, 4)}\r\n`,
  spaced: (all) =>
    `\n{ ${all.map(([name, value]) => `${JSON.stringify(name)}\t:\r\n ${JSON.stringify(value)}`).join(' , ')} }\n`,
  escaped: (all) => renderMembers(all).replace(/"(?:[^"\\]|\\.)*"/g, escapeString),
}

function escapeString(string: string): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `"${String(JSON.parse(string)).replace(/[\s\S]/g, escaped)}"`
}

const PIECES_MS = 2000

function deliver(
  answer: Answer,
  { framing, delayMs, pieces, byteEveryMs, close, lowerCaseNames }: Given<'delivery'>,
): Delivery {
  const own = close ? [...answer.headers, ['Connection', 'close'] as const] : answer.headers
  const headers = lowerCaseNames ? own.map(([name, value]) => [name.toLowerCase(), value] as const) : own
  return {
    kind: 'answer',
    answer: { ...answer, headers },
    ...(framing === undefined ? {} : { framing }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(close === undefined ? {} : { hangUp: true }),
    ...(byteEveryMs === undefined ? {} : { drip: { bytes: 1, everyMs: byteEveryMs } }),
    // Byte by byte, a long answer, or any on a busy machine, would take longer than a client waits.
    ...(pieces === undefined
      ? {}
      : { drip: { bytes: Math.ceil(answer.body.length / pieces), everyMs: 1, withinMs: PIECES_MS } }),
  }
}

function tokenAs({ length, suffix, parts, digits }: Given<'token'>): string {
  if (length !== undefined) return newAccessToken().repeat(length).slice(0, length)
  if (parts !== undefined) return Array.from({ length: parts }, newAccessToken).join('.')
  if (digits) return String(BigInt(`0x${Buffer.from(newAccessToken()).toString('hex')}`))
  return newAccessToken() + suffix
}

/** Next year, so that no client takes a token of that day for an old one. */
const YEAR = new Date().getUTCFullYear() + 1
const JUNE = 5

/** Milliseconds since the epoch. */
function issuedAt(issued: NonNullable<LegalAnswer['issued']>): number {
  if (issued === 'leap day') return Date.UTC(YEAR + 4 - (YEAR % 4), 1, 29, 12)
  if ('at' in issued) return Date.parse(`${YEAR}-${issued.at.replace(' ', 'T')}Z`)
  const first = new Date(noonInJune(1)).getUTCDay()
  return noonInJune(1 + ((7 + issued.weekday - first) % 7))
}

function noonInJune(day: number): number {
  return Date.UTC(YEAR, JUNE, day, 12)
}
