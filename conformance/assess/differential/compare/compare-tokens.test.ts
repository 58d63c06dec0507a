import t from 'tap'
import type { Behaviour } from '../../../../reference/behaviour.js'
import type { Answer } from '../../../../reference/http/answer.js'
import { loadSpecification } from '../../../../spec/load/specification.js'
import { findDifferences } from '../find-differences.js'
import { LOGINS_ALONE, startPair } from '../fixtures/pair.js'

const whole = loadSpecification()
const specification = {
  ...whole,
  cases: whole.cases.filter(({ id, invariant }) => invariant || /^2\.1\//.test(id)),
  observations: [],
}

/** A service that answers a user's logins with what it kept of the first one. */
function keeping(keep: (first: Answer, now: Answer) => Answer): Partial<Behaviour> {
  const first = new Map<string, Answer>()
  return {
    deliver: (answer, request) => {
      const asked = Buffer.from(request.body).toString()
      if (!`${answer.body}`.includes('"access_token"')) return { kind: 'answer', answer }
      const kept = first.get(asked) ?? answer
      first.set(asked, kept)
      return { kind: 'answer', answer: keep(kept, answer) }
    },
  }
}

const withToken = (answer: Answer, token: string): Answer => ({
  ...answer,
  body: `${answer.body}`.replace(/(?<="access_token":")[^"]*/, token),
})
const tokenOf = ({ body }: Answer): string => /"access_token":"([^"]*)/.exec(`${body}`)?.[1] ?? ''
const reusing = (): Partial<Behaviour> => keeping((first, now) => withToken(now, tokenOf(first)))

async function found(old: Partial<Behaviour>, now: Partial<Behaviour>): Promise<readonly string[]> {
  const pair = await startPair(t, { declares: LOGINS_ALONE, old: { altered: old }, new: { altered: now } })
  const { findings } = await findDifferences(pair.old, pair.new, { seed: 1, runs: 1, specification })
  return findings.map(({ class: own, rules, hurts, title }) => [own, ...rules, hurts, title].join(' '))
}

t.test('one token that is used again says little about what tokens are made of', async (t) => {
  const [plain, signed] = [
    'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyMDE',
    'Zm9vYmFyYmF6cXV4_m9vYmFyYmF6cXV4Zm9-YmFyMDE',
  ]
  const always = (token: string): Partial<Behaviour> => keeping((_, now) => withToken(now, token))
  t.strictSame(await found(always(plain), always(signed)), [])
  t.match(await found(always(plain), always('d'.repeat(43))), [/consist of hexadecimal digits/])
})

t.test('a token may be used again; the time of its issue may not', async (t) => {
  t.strictSame(await found({}, reusing()), ['silent answers new tokens are repeated'])
  t.match(
    await found(
      reusing(),
      keeping((first) => first),
    ),
    [/^breaks 2\.1-issue-time answers plain login .*: new no later than before, old later than before$/],
  )
})
