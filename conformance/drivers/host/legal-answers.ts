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

/** One thing that the contract leaves free, and the ways in which it may be done; the first is the plain one. */
interface Freedom {
  readonly rule: string
  readonly ways: readonly Way[]
}

interface Way {
  /** Ends "breaks when …". */
  readonly when: string
  readonly members?: (members: readonly Member[]) => readonly Member[]
  readonly render?: (members: readonly Member[]) => string
  readonly mediaType?: string
  readonly deliver?: (answer: Answer) => Delivery
  readonly token?: () => string
  readonly expiresIn?: (lifetimeSeconds: number) => number
  readonly options?: () => ReferenceServerOptions
}

const PLAIN: Way = { when: 'the answer is plain' }

/** A choice of one way for each freedom, by its place among the ways. */
export type Choice = Readonly<Record<FreedomName, number>>
export type FreedomName = keyof typeof FREEDOMS

const first = (names: readonly string[]) => (members: readonly Member[]) => [
  ...members.filter(([name]) => names.includes(name)),
  ...members.filter(([name]) => !names.includes(name)),
]

const nextYear = new Date().getUTCFullYear() + 1

function at(when: string, ms: number): Way {
  return { when, options: () => ({ clock: createClock(() => ms) }) }
}

/** A noon of next year, so that no client takes a token of that day for an old one. */
function noon(month: number, day: number): number {
  return Date.UTC(nextYear, month, day, 12)
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** What the contract leaves free of the answer to a sign-in. */
export const FREEDOMS = {
  order: {
    rule: 'client:answer-members',
    ways: [
      PLAIN,
      { when: 'the members come in the opposite order', members: (all) => [...all].reverse() },
      { when: '`.expires` comes before `.issued`', members: first(['.expires']) },
      { when: '`userName` is the first member', members: first(['userName']) },
      {
        when: '`access_token` is the last member',
        members: (all) =>
          [...all].sort(([a], [b]) => Number(a === 'access_token') - Number(b === 'access_token')),
      },
    ],
  },
  extra: {
    rule: 'client:answer-members',
    ways: [
      PLAIN,
      {
        when: 'there are the further members of Katana',
        members: (all) => [...all, ['refresh_token', 'r'], ['as:client_id', ''], ['scope', 'all']],
      },
      {
        when: 'a further member holds an object with an `access_token` of null',
        members: (all) => [['account', { access_token: null, roles: [] }], ...all],
      },
      {
        when: 'there are a hundred further members',
        members: (all) => [...Array.from({ length: 100 }, (_, n): Member => [`x${n}`, n]), ...all],
      },
    ],
  },
  json: {
    rule: 'client:answer-json',
    ways: [
      PLAIN,
      {
        when: 'the JSON is indented, and ends in a line end',
        render: (all) => `${JSON.stringify(Object.fromEntries(all), undefined, 4)}\r\n`,
      },
      {
        when: 'there is white space around every token of the JSON',
        render: (all) =>
          `\n{ ${all.map(([name, value]) => `${JSON.stringify(name)}\t:\r\n ${JSON.stringify(value)}`).join(' , ')} }\n`,
      },
      { when: 'every character of a string is escaped', render: (all) => escaped(renderMembers(all)) },
    ],
  },
  mediaType: {
    rule: 'client:answer-media-type',
    ways: [
      PLAIN,
      { when: 'the media type is application/json, without a charset', mediaType: 'application/json' },
      { when: 'the media type has a space and lower case', mediaType: 'application/json; charset=utf-8' },
      {
        when: 'the media type has capitals, spaces and quotes',
        mediaType: 'Application/JSON ; Charset="utf-8"',
      },
    ],
  },
  delivery: {
    rule: 'client:answer-delivery',
    ways: [
      PLAIN,
      {
        when: 'the answer comes in chunks',
        deliver: (answer) => ({ kind: 'answer', answer, framing: 'chunked' }),
      },
      {
        when: 'the answer takes half a second',
        deliver: (answer) => ({ kind: 'answer', answer, delayMs: 500 }),
      },
      {
        when: 'the answer comes byte by byte, or a long one in small pieces',
        deliver: (answer) => ({ kind: 'answer', answer, drip: inPieces(answer) }),
      },
      {
        when: 'the connection ends after the answer',
        deliver: (answer) => ({
          kind: 'answer',
          answer: withHeader(answer, ['Connection', 'close']),
          hangUp: true,
        }),
      },
    ],
  },
  token: {
    rule: 'client:answer-access_token',
    ways: [
      PLAIN,
      { when: 'the token has 8,000 characters', token: () => newAccessToken().repeat(200).slice(0, 8000) },
      {
        when: 'the token has every punctuation of a bearer token',
        token: () => `${newAccessToken()}-._~+/==`,
      },
      { when: 'the token has dots, as a JWT has', token: () => [1, 2, 3].map(newAccessToken).join('.') },
      {
        when: 'the token is one of digits',
        token: () => String(BigInt(`0x${Buffer.from(newAccessToken()).toString('hex')}`)),
      },
    ],
  },
  userId: {
    rule: 'client:answer-userId',
    ways: [PLAIN, { when: 'there is a `userId`', options: () => ({ includesUserId: true }) }],
  },
  expiresIn: {
    rule: 'client:answer-expires_in',
    ways: [
      PLAIN,
      { when: '`expires_in` is the lifetime itself', expiresIn: (lifetimeSeconds) => lifetimeSeconds },
    ],
  },
  lifetime: {
    rule: 'client:answer-expires_in',
    ways: [
      PLAIN,
      { when: 'the token lives for an hour', options: () => ({ tokenLifetime: 3600 }) },
      { when: 'the token lives for a century', options: () => ({ tokenLifetime: 3_155_760_000 }) },
    ],
  },
  date: {
    rule: 'client:answer-dates',
    ways: [
      PLAIN,
      ...MONTHS.map((month, index) => at(`the token is issued in ${month}`, noon(index, 9))),
      ...WEEKDAYS.map((weekday, index) =>
        at(
          `the token is issued on a ${weekday}`,
          noon(5, 1 + ((7 + index - new Date(noon(5, 1)).getUTCDay()) % 7)),
        ),
      ),
      at('the token is issued on a leap day', Date.UTC(nextYear + 4 - (nextYear % 4), 1, 29, 12)),
      at('the token is issued in the last second of a year', Date.UTC(nextYear, 11, 31, 23, 59, 59)),
    ],
  },
} satisfies Readonly<Record<string, Freedom>>

export const FREEDOM_NAMES = Object.keys(FREEDOMS) as readonly FreedomName[]

export const PLAIN_CHOICE = Object.fromEntries(FREEDOM_NAMES.map((name) => [name, 0])) as Choice

/** What differs from the plain answer. */
export function differences(choice: Choice): readonly { readonly rule: string; readonly when: string }[] {
  return FREEDOM_NAMES.flatMap((name) => {
    const { rule, ways } = FREEDOMS[name]
    const way = ways[choice[name]]
    return way === undefined || choice[name] === 0 ? [] : [{ rule, when: way.when }]
  })
}

/** The reference server that answers by this choice. */
export function answering(choice: Choice): ReferenceServerOptions {
  const ways = FREEDOM_NAMES.map((name): Way => FREEDOMS[name].ways[choice[name]] ?? PLAIN)
  const last = <K extends keyof Way>(key: K): Way[K] | undefined =>
    ways.findLast((way) => way[key] !== undefined)?.[key]
  const mediaType = last('mediaType')
  const behaviour: Partial<Behaviour> = {
    tokenMembers: (grant) =>
      ways.reduce(
        (members: readonly Member[], way) => way.members?.(members) ?? members,
        tokenMembers(grant),
      ),
    renderMembers: last('render') ?? renderMembers,
    newAccessToken: last('token') ?? newAccessToken,
    expiresIn: last('expiresIn') ?? ((lifetimeSeconds) => lifetimeSeconds - 1),
    deliver: last('deliver') ?? ((answer) => ({ kind: 'answer', answer })),
    ...(mediaType === undefined ? {} : { successMediaType: () => mediaType }),
  }
  return Object.assign({ behaviour }, ...ways.map(({ options }) => options?.() ?? {}))
}

/** A long answer in at most 400 pieces: it is not to take longer than a client waits. */
function inPieces({ body }: Answer): { readonly bytes: number; readonly everyMs: number } {
  return { bytes: Math.ceil(body.length / 400), everyMs: 1 }
}

function withHeader(answer: Answer, header: readonly [string, string]): Answer {
  return { ...answer, headers: [...answer.headers, header] }
}

function escaped(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (string) => {
    const value = String(JSON.parse(string))
    const units = value.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    return `"${units}"`
  })
}
