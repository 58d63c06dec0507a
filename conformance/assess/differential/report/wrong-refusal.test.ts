import t from 'tap'
import { findMutant } from '../../../../prove/jobs/selection.js'
import type { Behaviour } from '../../../../reference/behaviour.js'
import { loadSpecification } from '../../../../spec/load/specification.js'
import { findDifferences } from '../find-differences.js'
import { LOGINS_ALONE, startPair } from '../fixtures/pair.js'

const whole = loadSpecification()
const specification = {
  ...whole,
  cases: whole.cases.filter(({ id, invariant }) => invariant || /^(?:4\.1|7)\//.test(id)),
  observations: [],
}

/** Refuses a request of such a media type, and body, otherwise than the one documented error says. */
function refusing(status: number, isIt: (type: string, body: string) => boolean): Partial<Behaviour> {
  return {
    deliver: (answer, request) => {
      const body = Buffer.from(request.body).toString()
      const isRefused = isIt(`${request.headers['content-type']}`, body)
      const refusal = { ...answer, status, body: '{"message":"Unexpected end of JSON input"}' }
      return { kind: 'answer', answer: isRefused ? refusal : answer }
    },
  }
}

/** As the old services do that never look at `Content-Type`. */
const anyType = findMutant('any-media-type').behaviour()
const ofEmptyJson = refusing(400, (type, body) => type.includes('json') && body === '')

/** The class and rules of each finding, by its id. */
async function found(old: Partial<Behaviour>, now: Partial<Behaviour>): Promise<ReadonlyMap<string, string>> {
  const pair = await startPair(t, { declares: LOGINS_ALONE, old: { altered: old }, new: { altered: now } })
  const { findings } = await findDifferences(pair.old, pair.new, { seed: 1, runs: 30, specification })
  return new Map(findings.map(({ id, class: own, rules }) => [id, `${own} ${rules.toSorted()}`]))
}

t.test('where old reads any body and new refuses one wrongly, that is a finding of its own', async (t) => {
  const [right, alone, both] = [
    await found(anyType, {}),
    await found({}, ofEmptyJson),
    await found(anyType, ofEmptyJson),
  ]
  t.strictSame([...right.values()], ['mends 4.1-content-type'])
  t.strictSame([...alone.values()], ['breaks 4.1-R1,7-token-error-body'])
  t.strictSame(new Map([...both].sort()), new Map([...right, ...alone].sort()))
})

t.test('so it is where old takes any grant type, and new refuses a form without one wrongly', async (t) => {
  const any: Partial<Behaviour> = { supportsGrantType: () => true }
  const wrong: Partial<Behaviour> = refusing(
    400,
    (type, body) => type.includes('urlencoded') && !body.includes('grant_type'),
  )
  const [right, both] = [await found(any, {}), await found(any, wrong)]
  t.ok([...right.values()].every((own) => !own.startsWith('breaks')))
  for (const id of right.keys()) t.ok(both.has(id))
  t.ok(
    [...both.values()].some((own) => /^breaks .*7-token-error-body/.test(own)),
    [...both.values()].join('; '),
  )
})

t.test('so it is where new mends how old refuses all, and refuses some wrongly in another way', async (t) => {
  const old: Partial<Behaviour> = {
    deliver: (answer, { headers }) => {
      const isForm = /urlencoded *(?:;|$)/i.test(`${headers['content-type']}`)
      return { kind: 'answer', answer: isForm ? answer : { ...answer, status: 415, body: '' } }
    },
  }
  const [right, part] = [await found(old, {}), await found(old, ofEmptyJson)]
  const judged = (all: ReadonlyMap<string, string>) =>
    [...all].filter(([, own]) => !own.startsWith('silent')).toSorted(([, a], [, b]) => (a < b ? -1 : 1))
  t.match(judged(right), [[String, /^mends 7-token-error/]])
  t.match(judged(part), [
    [String, /^both /],
    [String, /^mends /],
  ])
  t.notOk(right.has(judged(part)[0]?.[0] ?? ''))
})

t.test('so it is where new reads more than the old service', async (t) => {
  const both = await found({}, { ...anyType, ...ofEmptyJson })
  const [more, alone] = [await found({}, anyType), await found({}, ofEmptyJson)]
  t.strictSame(new Map([...both].sort()), new Map([...more, ...alone].sort()))
})

t.test('what new refuses rightly, but in another way than documented, mends nothing', async (t) => {
  const all = await found(
    anyType,
    refusing(415, (type) => !type.includes('urlencoded')),
  )
  t.ok(
    [...all.values()].every((own) => own.startsWith('breaks') && own.includes('7-token-error-status')),
    [...all.values()].join('; '),
  )
})

/** Answers each request with such an `Accept` so. */
const refused = (status: number, isIt: (accept: string) => boolean): Partial<Behaviour> => ({
  deliver: (answer, { headers }) => ({
    kind: 'answer',
    answer: isIt(`${headers.accept ?? ''}`) ? { ...answer, status, body: '' } : answer,
  }),
})

t.test('which value of a header new refuses is part of the id', async (t) => {
  const idsOf = async (type: string) => [
    ...(
      await found(
        {},
        refused(406, (accept) => accept === type),
      )
    ).keys(),
  ]
  const [html, xml] = [await idsOf('text/html'), await idsOf('application/xml')]
  t.not(html.length, 0)
  t.ok(
    xml.some((id) => !html.includes(id)),
    [...html, ...xml].join(),
  )
})

t.test('where new mends one value of a header, and refuses another wrongly, that is a finding', async (t) => {
  const old = refused(406, (accept) => accept !== '' && !/json|\*/.test(accept))
  const right = await found(old, {})
  t.strictSame([...right.values()], ['mends 4.1-R3'])
  for (const [status, rules] of [
    [302, 'breaks 4.1-path'],
    [500, 'both 4.1-R3'],
  ] as const) {
    const part = await found(
      old,
      refused(status, (accept) => accept === 'text/html'),
    )
    t.strictSame([...part.values()].toSorted(), [rules, 'mends 4.1-R3'])
    t.notOk([...part.keys()].every((id) => right.has(id)))
  }
})

/** Answers a good login with this instead of `bearer`, or without its user name, where a request is so. */
const granting = (
  [text, instead]: readonly [RegExp, string],
  isIt: (accept: string, body: string) => boolean,
): Partial<Behaviour> => ({
  deliver: (answer, { headers, body }) => {
    const isChanged = answer.status === 200 && isIt(`${headers.accept ?? ''}`, Buffer.from(body).toString())
    const changed = Buffer.from(answer.body).toString().replace(text, instead)
    return { kind: 'answer', answer: isChanged ? { ...answer, body: changed } : answer }
  },
})

const CAPITAL = [/"bearer"/, '"Bearer"'] as const
const NAMELESS = [/"userName":"\w+",/, ''] as const

t.test('where new mends one value of a header, and grants another wrongly, that is a finding', async (t) => {
  const old = refused(406, (accept) => accept !== '' && !/json|\*/.test(accept))
  const [capital, nameless] = [
    await found(
      old,
      granting(CAPITAL, (accept) => accept === 'application/xml'),
    ),
    await found(
      old,
      granting(NAMELESS, (accept) => accept === 'application/xml'),
    ),
  ]
  t.strictSame([...capital.values()].toSorted(), ['breaks 2.1-token_type', 'mends 4.1-R3'])
  t.strictSame([...nameless.values()].toSorted(), ['breaks 2.1-userName', 'mends 4.1-R3'])
  const shared = [...capital.keys()].filter((id) => nameless.has(id))
  t.strictSame(
    shared.map((id) => capital.get(id)),
    ['mends 4.1-R3'],
    'they share what new mends, and no more',
  )
})

t.test('what new grants beside one parameter, or one value of a header, covers no other login', async (t) => {
  const known = new Map<string, string>()
  for (const [name, isIt] of Object.entries({
    'a client_id': (_: string, body: string) => body.includes('client_id='),
    'a scope': (_: string, body: string) => body.includes('scope='),
    HTML: (accept: string) => accept === 'text/html',
    XML: (accept: string) => accept === 'application/xml',
    'every login': () => true,
  })) {
    const own = await found({}, granting(CAPITAL, isIt))
    t.strictSame([...own.values()], ['breaks 2.1-token_type'], name)
    for (const id of own.keys()) {
      t.equal(known.get(id), undefined, `${name} has an id of its own`)
      known.set(id, name)
    }
  }
})

/** Refuses logins with such a parameter beside those of a plain one. */
const refusingExtra = (isIt: (name: string, value: string) => boolean): Partial<Behaviour> => ({
  deliver: (answer, { body }) => {
    const extra = [...new URLSearchParams(Buffer.from(body).toString())].filter(
      ([name]) => !['grant_type', 'username', 'password'].includes(name),
    )
    const isRefused = answer.status === 200 && extra.some(([name, value]) => isIt(name, value))
    const refusal = { ...answer, status: 400, body: '{"error":"invalid_request"}' }
    return { kind: 'answer', answer: isRefused ? refusal : answer }
  },
})

t.test('that new refuses an empty parameter covers no other value of it', async (t) => {
  const [empty, every] = [
    await found(
      {},
      refusingExtra((name, value) => name === 'scope' && value === ''),
    ),
    await found(
      {},
      refusingExtra((name) => name === 'scope'),
    ),
  ]
  t.strictSame([...empty.values(), ...every.values()], ['breaks 4.1-R3', 'breaks 4.1-R3'])
  t.notSame([...empty.keys()], [...every.keys()])
})

t.test('that new refuses whatever parameter it does not know is one finding', async (t) => {
  // A parameter without a value is one of several unusual spellings, and a long one a matter of size.
  const isKnown = (name: string, value: string): boolean => value === '' || name === 'padding'
  const all = await found(
    {},
    refusingExtra((name, value) => !isKnown(name, value)),
  )
  t.strictSame([...all.values()], ['breaks 4.1-R3'])
})

t.test('how new refuses an empty grant type covers no unknown one', async (t) => {
  const OTHER_FLOWS =
    /^(?:refresh_token|client_credentials|authorization_code|implicit|urn:.*|.*password.*)$/i
  const describing = (isIt: (grantType: string) => boolean): Partial<Behaviour> => ({
    deliver: (answer, { body }) => {
      const grantType = new URLSearchParams(Buffer.from(body).toString()).get('grant_type')
      const isChanged = answer.status === 400 && grantType !== null && isIt(grantType)
      const refusal = '{"error":"unsupported_grant_type","error_description":"x"}'
      return { kind: 'answer', answer: isChanged ? { ...answer, body: refusal } : answer }
    },
  })
  const [empty, unknown] = [
    await found(
      {},
      describing((grantType) => grantType === ''),
    ),
    await found(
      {},
      describing((grantType) => grantType !== '' && !OTHER_FLOWS.test(grantType)),
    ),
  ]
  t.not(empty.size, 0)
  t.notOk([...empty.keys()].some((id) => unknown.has(id)))
})

t.test('a wrong message of a requirement that new alone has is named', async (t) => {
  const old = findMutant('symbols-not-required').behaviour()
  const altered = findMutant('symbol-message-special').behaviour()
  const pair = await startPair(t, { old: { altered: old }, new: { altered } })
  const { findings } = await findDifferences(pair.old, pair.new, { seed: 1, runs: 1, specification: whole })
  t.match(findings, [{ class: 'breaks', rules: [/^7-/] }])
})

t.test('a finding is not classed by a drawn request that another finding explains', async (t) => {
  const altered: Partial<Behaviour> = {
    userNameKey: (name) => name.trim(),
    supportsGrantType: (grantType) => grantType.trim() === 'password',
  }
  const pair = await startPair(t, { new: { altered } })
  // With this seed, a user name and a grant type with outer spaces are drawn for one request.
  const { findings } = await findDifferences(pair.old, pair.new, { seed: 1 })
  const classOf = (place: string) =>
    findings.find(({ request }) => request === `\`${place}\` surrounded by spaces`)?.class
  t.strictSame([classOf('username'), classOf('grant_type')], ['silent', 'breaks'])
})
