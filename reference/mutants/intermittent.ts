import { specifiedBehaviour } from '../behaviour.js'
import { imfFixdate } from '../token-response.js'
import type { Mutant } from './mutant.js'
import { answers, asksForToken, carriesToken, members, oneIn, sometimes, value } from './overrides.js'
import { mutants } from './row.js'

/** 2.1: token responses that are right nearly always. */
export const intermittentMutants: readonly Mutant[] = mutants([
  {
    id: 'one-bearer-in-fifty',
    sentence: 'One token_type in fifty is `Bearer`.',
    violates: ['2.1-token_type'],
    behaviour: sometimes((due) => value('token_type', (type) => (due() ? 'Bearer' : type))),
  },
  {
    id: 'one-expires-in-in-fifty',
    sentence: 'One expires_in in fifty is two seconds under the lifetime.',
    violates: ['2.1-expires_in'],
    behaviour: sometimes((due) => value('expires_in', (seconds) => Number(seconds) - (due() ? 1 : 0))),
  },
  {
    id: 'one-expires-in-fifty',
    sentence: 'One `.expires` in fifty is a second late.',
    violates: ['2.1-R2'],
    behaviour: sometimes((due) =>
      value('.expires', (date) => imfFixdate(Date.parse(String(date)) + (due() ? 1000 : 0))),
    ),
  },
  {
    id: 'one-date-in-fifty',
    sentence: 'One `.issued` in fifty ends in UTC.',
    violates: ['2.1-issued'],
    behaviour: sometimes((due) =>
      value('.issued', (date) => (due() ? String(date).replace('GMT', 'UTC') : date)),
    ),
  },
  {
    id: 'one-user-id-in-fifty',
    sentence: 'One token response in fifty has a userId, which is not configured.',
    violates: ['2.1-userId-absent'],
    behaviour: sometimes((due) => members((all) => (due() ? [...all, ['userId', 'user-1']] : all))),
  },
  {
    id: 'other-user-id-in-fifty',
    sentence: 'One userId in fifty is another.',
    violates: ['2.1-userId'],
    collateral: ['2.1-R4'],
    needs: 'with-user-id',
    behaviour: sometimes((due) => value('userId', (id) => (due() ? 'user-1' : id))),
  },
  {
    id: 'user-id-early-in-fifty',
    sentence: 'One userId in fifty stands before the other members.',
    violates: ['2.1-R3'],
    needs: 'with-user-id',
    behaviour: sometimes((due) =>
      members((all) => {
        const isEarly = ([name]: readonly [string, unknown]): boolean => name === 'userId'
        return due() ? [...all.filter(isEarly), ...all.filter((member) => !isEarly(member))] : all
      }),
    ),
  },
  {
    id: 'one-user-name-in-fifty',
    sentence: 'One userName in fifty is that of the grant before.',
    violates: ['2.1-userName'],
    behaviour: sometimes((due) => {
      let before = 'nobody'
      return value('userName', (name) => {
        const shown = due() ? before : name
        before = String(name)
        return shown
      })
    }),
  },
  {
    id: 'one-token-in-fifty',
    sentence: "One token in fifty is the latest of another account's.",
    violates: ['2.1-access_token'],
    behaviour: () => {
      const isDue = oneIn(50)
      const latest = new Map<string, string>()
      return {
        newAccessToken: ({ userName, userId }) => {
          const others = [...latest].filter(([name]) => name !== userName)
          const token = specifiedBehaviour.newAccessToken({ userName, userId })
          const [other] = isDue() ? others : []
          latest.delete(userName)
          latest.set(userName, other?.[1] ?? token)
          return other?.[1] ?? token
        },
      }
    },
  },
  {
    id: 'two-objects-in-fifty',
    sentence: 'One token response in fifty is written twice.',
    violates: ['2.1-json-object'],
    behaviour: sometimes((due) =>
      answers((answer) =>
        carriesToken(answer) && due() ? { ...answer, body: `${answer.body}${answer.body}` } : answer,
      ),
    ),
  },
  {
    id: 'cached-for-a-second',
    sentence: 'For a second every grant is answered as the first one was, whoever asks.',
    violates: ['2.1-access_token', '2.1-userName'],
    collateral: ['2.1-issue-time'],
    behaviour: () => {
      let cached: { readonly body: string | Uint8Array; readonly untilMs: number } | undefined
      return answers((answer, request) => {
        if (!asksForToken(request) || !carriesToken(answer)) return answer
        const nowMs = Date.now()
        if (cached === undefined || nowMs > cached.untilMs)
          cached = { body: answer.body, untilMs: nowMs + 1000 }
        return { ...answer, body: cached.body }
      })()
    },
  },
  {
    id: 'token-of-the-account-before',
    sentence: 'A new account is given the token that the grant before it was given.',
    violates: ['2.1-access_token'],
    behaviour: () => {
      let before: string | undefined
      const known = new Set<string>()
      return {
        newAccessToken: ({ userName, userId }) => {
          const own = known.has(userId) ? undefined : before
          known.add(userId)
          before = own ?? specifiedBehaviour.newAccessToken({ userName, userId })
          return before
        },
      }
    },
  },
])
