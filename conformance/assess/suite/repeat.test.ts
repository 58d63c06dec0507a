import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import t from 'tap'
import { findMutant } from '../../../prove/jobs/selection.js'
import { REGISTRATION_REQUEST } from '../../../reference/embedded/registration-request.js'
import { parseReplay } from '../../../spec/model/selection.js'
import { startReference } from '../../../tests/fixtures/reference.js'
import { assess } from '../assess.js'

const ACCOUNTS = [
  { userName: 'ann', password: 'Correct-7-horses' },
  { userName: 'bob', password: 'Correct-8-horses' },
]

t.test(
  'what several sign-ins show together is repeated by --replay, as no one request shows it',
  async (t) => {
    const { url } = await startReference(t, {
      accounts: ACCOUNTS,
      behaviour: { newAccessToken: () => 'one-token-for-every-user', tokenType: () => 'Bearer' },
    })
    const run = async (options: object) =>
      (await assess({ baseUrl: url, accounts: ACCOUNTS }, { seed: 1, runs: 4, ...options })).results.flatMap(
        ({ id, judgements }) =>
          judgements.filter(({ outcome }) => outcome === 'failed').map((judgement) => ({ id, ...judgement })),
      )
    const broken = await run({ only: ['2.1-access_token', '2.1-token_type'] })
    const [tokens, types] = ['2.1-access_token', '2.1-token_type'].map((id) =>
      broken.filter(({ rule }) => rule === id),
    )
    t.strictSame([...new Set(tokens?.map(({ id }) => id))].toSorted(), [
      'default/2.1/token-of-each-account',
      'default/2.1/token-response',
    ])
    t.ok(types?.length && types.every(({ reproduce }) => reproduce?.startsWith('curl ')))
    for (const { id, reproduce, replay = '' } of tokens ?? []) {
      t.equal(reproduce, undefined, id)
      const again = await run({ replay: parseReplay(replay) })
      t.ok(
        again.some(({ rule }) => rule === '2.1-access_token'),
        replay,
      )
    }
  },
)

t.test('what sign-ins of new accounts show together has no --replay, which makes none of them', async (t) => {
  const { url } = await startReference(t, {
    accounts: ACCOUNTS,
    behaviour: {
      newAccessToken: ({ userName }) =>
        /^(?:ann|bob)$/.test(userName) ? randomUUID() : 'one-token-for-every-new-user',
    },
  })
  const target = { baseUrl: url, accounts: ACCOUNTS, registration: { request: REGISTRATION_REQUEST } }
  const only = ['2.1-access_token', '8/accepted-account']
  // It registers the accounts itself.
  const skip = ['2.1/token-of-similar-names']
  const { results } = await assess(target, { seed: 1, runs: 4, only, skip })
  const failed = results.flatMap(({ judgements }) =>
    judgements.filter(({ rule, outcome }) => rule === '2.1-access_token' && outcome === 'failed'),
  )
  t.not(failed.length, 0)
  for (const { replay } of failed) t.equal(replay, undefined)
})

t.test('a command that names a new account in another parameter registers it first', async (t) => {
  const { url } = await startReference(t, {
    accounts: ACCOUNTS,
    behaviour: findMutant('username-in-brackets').behaviour(),
  })
  const target = { baseUrl: url, accounts: ACCOUNTS, registration: { request: REGISTRATION_REQUEST } }
  const { results } = await assess(target, { seed: 1, only: ['4.1/username-under-another-name'] })
  const commands = results.flatMap(({ judgements }) => judgements.flatMap(({ reproduce = [] }) => reproduce))
  t.ok(commands.length > 0)
  for (const command of commands) t.match(command, /\/accounts; curl -i .*username%5B%5D=/)
})

t.test('a command that names a new account in the query alone registers it first', async (t) => {
  const { url } = await startReference(t, {
    accounts: ACCOUNTS,
    behaviour: {
      formBytes: ({ query, body }) => Buffer.from(query === '' ? body : `${Buffer.from(body)}&${query}`),
    },
  })
  const registration = { request: REGISTRATION_REQUEST }
  const { results } = await assess(
    { baseUrl: url, accounts: ACCOUNTS, registration },
    { seed: 1, runs: 1, only: ['4.1/username-in-query'] },
  )
  const command = results.flatMap(({ judgements }) =>
    judgements.flatMap(({ reproduce = [] }) => reproduce),
  )[0]
  const { stdout } = await promisify(execFile)('sh', ['-c', String(command)])
  t.match(stdout, /^HTTP\/1\.1 200 /)
})

t.test(
  'a command for two answers that should be the same sends both requests, and shows both answers',
  async (t) => {
    const { url } = await startReference(t, {
      accounts: ACCOUNTS,
      behaviour: {
        deliver: (answer, { contentType }) => ({
          kind: 'answer',
          answer:
            contentType === 'application/json'
              ? { ...answer, body: answer.body.toString().replace('}', ',"error_description":"no form"}') }
              : answer,
        }),
      },
    })
    const { results } = await assess(
      { baseUrl: url, accounts: ACCOUNTS },
      { seed: 1, runs: 1, only: ['4.1/empty-form'] },
    )
    const failed = results.flatMap(({ judgements }) =>
      judgements.filter(({ outcome }) => outcome === 'failed'),
    )
    t.strictSame([...new Set(failed.map(({ rule }) => rule))], ['4.1-R2'])
    const { stdout } = await promisify(execFile)('sh', ['-c', String(failed[0]?.reproduce)])
    t.match(stdout, /^HTTP\/1\.1 400 .*no form.*HTTP\/1\.1 400 /s)
  },
)
