import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startReference } from '../../../../tests/fixtures/reference.js'
import { resolveTarget } from '../../../target/target.js'
import { rehearse } from '../rehearse.js'
import { classesOf } from './account-class.js'
import type { CohortTally } from './cohort-tally.js'
import { csvRecords } from './csv-records.js'
import { jsonObjects } from './json-objects.js'
import { readPasswords } from './read-passwords.js'

async function* inPieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

t.test('CSV and JSON are read in pieces of any length', async (t) => {
  const csv = 'name,note\r\n"a, b","say ""hi""\nthere"\n\nc,\n,d'
  const json = '[{"a":"}{\\"","b":{"c":1}},\n {"a":"[2"}]'
  for (const length of [1, 2, 3, 7, 100]) {
    t.strictSame(await all(csvRecords(inPieces(csv, length), 100)), [
      ['name', 'note'],
      ['a, b', 'say "hi"\nthere'],
      ['c', ''],
      ['', 'd'],
    ])
    const texts = await all(jsonObjects(inPieces(json, length), 100))
    t.strictSame(
      texts.map((text) => JSON.parse(text)),
      [{ a: '}{"', b: { c: 1 } }, { a: '[2' }],
    )
  }
  t.strictSame(await all(csvRecords(inPieces('a;b\n1,5;"2;3"', 4), 100)), [
    ['a', 'b'],
    ['1,5', '2;3'],
  ])
  for (const text of ['"', `a,"${'x'.repeat(200)}`]) await t.rejects(all(csvRecords(inPieces(text, 50), 100)))
  for (const text of [
    '[',
    '[{"a":1},',
    '[{"a":1}',
    '[[{"a":1}',
    '{',
    '[1]',
    '[{"a":1}, null]',
    '[{"a":1},"ann"]',
    '{"a":1}\nann\n',
    '[{"a":1},[{"a":2}]]',
    `{"a":"${'x'.repeat(200)}`,
  ])
    await t.rejects(all(jsonObjects(inPieces(text, 50), 100)))
})

t.test('a command that prints no more passwords ends at once when it is stopped', async (t) => {
  const stop = new AbortController()
  const command = [
    process.execPath,
    '-e',
    "console.log('first'); setInterval(() => undefined, 1000)",
  ] as const
  const settings = { passwords: { command, cwd: '.' } } as unknown as Parameters<typeof readPasswords>[0]
  const passwords = readPasswords(settings, stop.signal)
  t.equal((await passwords.next()).value, 'first')
  const next = passwords.next()
  stop.abort()
  await t.rejects(next, { code: 'start-failed', message: /was stopped$/ })
  const early = readPasswords(settings, AbortSignal.abort())
  await t.rejects(early.next(), { code: 'start-failed', message: /was stopped$/ })
})

t.test('the format of a hash is known by its shape, and nothing of it is kept', async (t) => {
  const identity = (...bytes: readonly number[]): string =>
    Buffer.from([...bytes, ...randomBytes(bytes[0] === 0 ? 48 : 60)]).toString('base64')
  const known: Readonly<Record<string, string>> = {
    [identity(0)]: 'hash: ASP.NET Identity, version 2',
    [identity(1)]: 'hash: ASP.NET Identity, version 3',
    $2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy: 'hash: bcrypt',
    '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA': 'hash: argon2',
    [createHash('md5').update('x').digest('hex')]: 'hash: 32 hexadecimal digits',
    [createHash('sha1').update('x').digest('hex')]: 'hash: 40 hexadecimal digits',
    'something else': 'hash: of another format',
    '': 'hash: none',
  }
  for (const [passwordHash, name] of Object.entries(known))
    t.strictSame(classesOf('ann', { passwordHash }, 'Secret-1'), [name])
  t.strictSame(classesOf('Zoë X', {}, 'ö ü'), [
    'hash: none',
    'user name: letters beyond ASCII',
    'user name: spaces',
    'user name: upper case',
    'password: letters beyond ASCII',
    'password: spaces',
  ])
})

const ACCOUNTS = ['ann', 'bob', 'Carl', 'DORA', 'x y', 'Zoë'].map((userName, index) => ({
  userName,
  password: `Secret-${index}`,
}))

const FILES = {
  'accounts.csv': `name,passwordHash\n${ACCOUNTS.map(({ userName }) => `${userName},x`).join('\n')}\n`,
  'print.mjs': `console.log(${JSON.stringify(ACCOUNTS.map(({ password }) => password).join('\n'))})`,
}

function targetOf(folder: string, old: string, now: string, more: object = {}) {
  return resolveTarget({
    accounts: ACCOUNTS.slice(0, 1),
    resource: { path: '/me' },
    cohort: {
      ...{ file: join(folder, 'accounts.csv'), userName: 'name', perSecond: 1000 },
      passwords: { command: [process.execPath, join(folder, 'print.mjs')] },
      ...more,
    },
    deployments: { old: { baseUrl: old }, new: { baseUrl: now } },
  })
}

t.test('a cohort: where each account logs in, by what it is like', async (t) => {
  const folder = t.testdir(FILES)
  const start = (isLower: boolean) =>
    startReference(t, {
      accounts: ACCOUNTS,
      protectedResource: true,
      behaviour: {
        signIn: ({ account, matches, userName = '' }) =>
          matches && !(isLower && /[A-Z]/.test(userName)) ? account : undefined,
      },
    })
  const [old, now] = [await start(false), await start(true)]
  const target = (more: object = {}) => targetOf(folder, old.url, now.url, more)
  const { cohort, verdict } = await rehearse(target())
  t.equal(verdict, 'different')
  t.match(cohort, {
    tried: 6,
    both: 3,
    oldOnly: 3,
    newOnly: 0,
    neither: 0,
    unanswered: 0,
    stopped: undefined,
  })
  t.match(cohort?.differences, [
    {
      id: 'cohort, user name: upper case',
      side: 'old',
      differs: true,
      sentence:
        'cohort: 3 of 3 accounts that log in at old only: user name: upper case; none of that class logs in at new too',
      rows: [3, 4, 6],
      names: undefined,
    },
  ])
  t.equal(cohort?.differences.length, 1)
  t.notMatch(JSON.stringify(cohort), /Carl|DORA|Secret/)

  const named = await rehearse(target(), { cohort: { showsNames: true } })
  t.strictSame(named.cohort?.differences[0]?.names, ['Carl', 'DORA', 'Zoë'])

  const spent = await rehearse(target({ maxFailedLogins: 1 }))
  t.match(spent.cohort?.stopped, /^1 login failed at new: declare a larger `cohort.maxFailedLogins`/)
  const few = await rehearse(target({ passwords: { command: ['node', '-e', 'console.log(1)'] } }))
  t.match(few.cohort?.stopped, /`node`, printed fewer passwords than there are accounts$/)

  // Stopped amid a batch: none of the accounts that were not answered counts as tried.
  const stop = new AbortController()
  const cut = await rehearse(target(), {
    signal: stop.signal,
    cohort: { onProgress: () => stop.abort(), showsNames: false },
  })
  t.match(cut.cohort, { tried: 6, stopped: 'the rehearsal was stopped' })
  const early = new AbortController()
  const seen = now.journal
    .waitFor({ userName: 'bob', after: now.journal.entries().at(-1)?.id ?? 0 })
    .then(() => early.abort())
  const amid = await rehearse(target({ perSecond: 2 }), { signal: early.signal })
  await seen
  const { tried = 0, both = 0, oldOnly = 0 } = amid.cohort ?? {}
  t.ok(tried > 0 && tried < 6, String(tried))
  t.equal(tried, both + oldOnly, 'what was not answered is tried later')

  const half = { tried: 4, all: { both: 2, oldOnly: 2, newOnly: 0, neither: 0 }, classes: {}, oneSided: [] }
  const rest = await rehearse(target(), { cohort: { before: half } })
  t.match(rest.cohort, { tried: 6, both: 3, oldOnly: 3 })

  // What compares nothing is not as expected.
  const reasons = {
    '': /has no account$/,
    'name\n': /has no account$/,
    'name\nann\n': /^no account logs in at old, so nothing is compared$/,
    'name\nZo\xeb\n': /account 1: expected a user name in UTF-8, found another encoding$/,
  }
  for (const [text, why] of Object.entries(reasons)) {
    writeFileSync(join(folder, 'accounts.csv'), text, 'latin1')
    const passwords = { command: [process.execPath, '-e', "console.log('Wrong-1')"] }
    const { verdict, cohort } = await rehearse(target({ passwords }))
    t.match(cohort?.stopped, why)
    t.equal(verdict, 'inconclusive', text)
  }
  writeFileSync(join(folder, 'accounts.csv'), 'name\nann\nbob\nbob\n')
  const shifted = { command: [process.execPath, '-e', `console.log('Secret-0\\nWrong-1\\nWrong-2')`] }
  const unread = await rehearse(target({ passwords: shifted }))
  t.match(unread.cohort, {
    ...{ both: 1, neither: 2 },
    stopped: '2 of 3 accounts log in at neither service, so little is compared: check their passwords',
  })
  t.equal(unread.verdict, 'inconclusive')
  const items = join(folder, 'accounts.json')
  writeFileSync(items, '[{"name":"ann"}, "bob", {"name":"Carl"}]')
  const skipped = await rehearse(target({ file: items }))
  t.match(skipped.cohort?.stopped, /accounts\.json: expected objects, .*, found something else at account 2$/)
  t.equal(skipped.verdict, 'inconclusive')
  await t.rejects(rehearse(target({ file: folder })), {
    code: 'missing-file',
    message: /expected a cohort, found no file that can be read$/,
  })
})

t.test('what fails at new, or refuses beside a token, is no login', async (t) => {
  const folder = t.testdir(FILES)
  const start = () => startReference(t, { accounts: ACCOUNTS, protectedResource: true })
  const [old, now] = [await start(), await start()]
  const cohort = async (fault: Parameters<typeof now.faults.add>[0], before?: CohortTally) => {
    now.faults.clear()
    now.faults.add({ ...fault, match: { userName: 'bob' } })
    return rehearse(targetOf(folder, old.url, now.url), before === undefined ? {} : { cohort: { before } })
  }
  const failing = await cohort({ kind: 'status', status: 500 })
  t.equal(failing.verdict, 'inconclusive')
  t.match(failing.cohort, { both: 5, unanswered: 1, stopped: /^1 login was not answered, so/ })
  const all = { both: 5, oldOnly: 0, newOnly: 0, neither: 0 }
  const resumed = await cohort({ kind: 'status', status: 500 }, { tried: 6, all, classes: {}, oneSided: [] })
  t.equal(resumed.verdict, 'inconclusive', 'what is gone on with does not forget it')
  const body = JSON.stringify({ error: 'invalid_grant', access_token: 'a-token-of-no-use-to-anyone' })
  const refusing = await cohort({ kind: 'status', status: 400, body })
  t.match(refusing.cohort, { both: 5, oldOnly: 1 })
  t.equal(refusing.verdict, 'different')
  const answer = (userName: string) =>
    JSON.stringify({ access_token: 'of-another', token_type: 'bearer', userName })
  const another = await cohort({ kind: 'status', status: 200, body: answer('ann') })
  t.match(another.cohort, { both: 5, oldOnly: 1 }, 'the token of another account')
  const spelled = await cohort({ kind: 'status', status: 200, body: answer('BOB') })
  t.match(spelled.cohort, { both: 6, oldOnly: 0 })
})
