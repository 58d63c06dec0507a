import { specifiedBehaviour } from '../../reference/behaviour.js'
import { imfFixdate } from '../../reference/token-response.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { answers, asksForToken, carriesToken, members, oneIn, sometimes, value } from './overrides.js'

/** 2.1: token responses that are right nearly always. */
export const intermittentMutants: readonly Mutant[] = [
  ...breaking(['2.1-token_type'], asIs, {
    'one-bearer-in-fifty: One token_type in fifty is `Bearer`.': sometimes((due) =>
      value('token_type', (type) => (due() ? 'Bearer' : type)),
    ),
  }),
  ...breaking(['2.1-expires_in'], asIs, {
    'one-expires-in-in-fifty: One expires_in in fifty is two seconds less than the lifetime.': sometimes(
      (due) => value('expires_in', (seconds) => Number(seconds) - (due() ? 1 : 0)),
    ),
  }),
  ...breaking(['2.1-R2'], asIs, {
    'one-expires-in-fifty: One `.expires` in fifty is a second late.': sometimes((due) =>
      value('.expires', (date) => imfFixdate(Date.parse(String(date)) + (due() ? 1000 : 0))),
    ),
  }),
  ...breaking(['2.1-issued'], asIs, {
    'one-date-in-fifty: One `.issued` in fifty ends in UTC.': sometimes((due) =>
      value('.issued', (date) => (due() ? String(date).replace('GMT', 'UTC') : date)),
    ),
  }),
  ...breaking(['2.1-userId-absent'], asIs, {
    'one-user-id-in-fifty: One token response in fifty has a userId that is not configured.': sometimes(
      (due) => members((all) => (due() ? [...all, ['userId', 'user-1']] : all)),
    ),
  }),
  ...breaking({ violates: ['2.1-userId'], collateral: ['2.1-R4'], needs: 'with-user-id' }, asIs, {
    'other-user-id-in-fifty: One userId in fifty is wrong.': sometimes((due) =>
      value('userId', (id) => (due() ? 'user-1' : id)),
    ),
  }),
  ...breaking({ violates: ['2.1-R3'], needs: 'with-user-id' }, asIs, {
    'user-id-early-in-fifty: One userId in fifty comes before the other members.': sometimes((due) =>
      members((all) => {
        const isEarly = ([name]: readonly [string, unknown]): boolean => name === 'userId'
        return due() ? [...all.filter(isEarly), ...all.filter((member) => !isEarly(member))] : all
      }),
    ),
  }),
  ...breaking(['2.1-userName'], asIs, {
    'one-user-name-in-fifty: One userName in fifty is that of the previous grant.': sometimes((due) => {
      let before = 'none'
      return value('userName', (name) => {
        const shown = due() ? before : name
        before = String(name)
        return shown
      })
    }),
  }),
  ...breaking(['2.1-access_token'], asIs, {
    'one-token-in-fifty: One token in fifty is the latest token of another account.': () => {
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
  }),
  ...breaking(['2.1-json-object'], asIs, {
    'two-objects-in-fifty: One token response in fifty is written twice.': sometimes((due) =>
      answers((answer) =>
        carriesToken(answer) && due() ? { ...answer, body: `${answer.body}${answer.body}` } : answer,
      ),
    ),
  }),
  ...breaking({ violates: ['2.1-access_token', '2.1-userName'], collateral: ['2.1-issue-time'] }, asIs, {
    'cached-for-a-second: Every grant within a second repeats the first response, for every account.': () => {
      let cached: { readonly body: string | Uint8Array; readonly untilMs: number } | undefined
      return answers((answer, request) => {
        if (!asksForToken(request) || !carriesToken(answer)) return answer
        const nowMs = Date.now()
        if (cached === undefined || nowMs > cached.untilMs)
          cached = { body: answer.body, untilMs: nowMs + 1000 }
        return { ...answer, body: cached.body }
      })
    },
  }),
  ...breaking(['2.1-access_token'], asIs, {
    'token-of-the-account-before: A new account gets the token of the previous grant.': () => {
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
  }),
]
