import t from 'tap'
import { specifiedBehaviour } from '../behaviour.js'
import { createAccountStore } from '../store/accounts.js'
import { createPasswordHasher, type PasswordHasher } from '../store/password-hash.js'
import { createWorkQueue } from '../store/work-queue.js'
import { checkPassword } from './check-password.js'

t.test('passwords are kept as argon2id hashes at the parameters of OWASP', async (t) => {
  const hasher = await createPasswordHasher('argon2id')
  const hash = await hasher.hash('Secret-1')
  t.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.equal(await hasher.verify(hash, 'Secret-1'), true)
  t.equal(await hasher.verify(hash, 'Secret-2'), false)
  t.not(await hasher.hash('Secret-1'), hash, 'a salt each')
})

t.test('fast hashes hold no password either, and mean nothing to another server', async (t) => {
  const hasher = await createPasswordHasher('fast')
  const hash = await hasher.hash('Secret-1')
  t.equal(await hasher.verify(hash, 'Secret-1'), true)
  t.equal(await hasher.verify(hash, 'Secret-2'), false)
  t.notMatch(hash, 'Secret')
  t.equal(await (await createPasswordHasher('fast')).verify(hash, 'Secret-1'), false)
})

t.test('every check costs exactly one hash computation', async (t) => {
  const verified: string[] = []
  const hasher: PasswordHasher = {
    unknownUser: 'absent',
    hash: async (password) => password,
    verify: async (hash, password) => {
      verified.push(hash)
      return hash === password
    },
  }
  const accounts = createAccountStore(
    [{ userName: 'ann', userId: '1', passwordHash: 'right' }],
    { userName: (name) => name, email: (email) => email },
    1,
  )
  const service = { behaviour: specifiedBehaviour, hasher, hashing: createWorkQueue(1, 0) }
  const check = (userName: string, password: string) => checkPassword(service, accounts, userName, password)

  t.match(await check('ann', 'right'), { account: { userId: '1' }, matches: true })
  t.match(await check('ann', 'wrong'), { account: { userId: '1' }, matches: false })
  t.match(await check('Ann', 'right'), { account: undefined, matches: false }, 'names are compared exactly')
  t.match(await check('bob', 'absent'), { account: undefined, matches: false }, 'even should the hash agree')
  t.strictSame(verified, ['right', 'right', 'absent', 'absent'])
})

t.test('few tasks run, few wait, the rest is rejected', async (t) => {
  const queue = createWorkQueue(2, 1)
  const started: string[] = []
  const finish = new Map<string, (failure?: Error) => void>()
  const task = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      started.push(name)
      finish.set(name, (failure) => (failure === undefined ? resolve(name) : reject(failure)))
    })

  const a = queue.offer(task('a'))
  const b = queue.offer(task('b'))
  const c = queue.offer(task('c'))
  t.equal(queue.offer(task('d')), undefined)
  t.strictSame(started, ['a', 'b'])

  finish.get('a')?.(new Error('a failed'))
  await t.rejects(async () => a, { message: 'a failed' })
  t.strictSame(started, ['a', 'b', 'c'], 'a failed task makes room too')
  finish.get('b')?.()
  finish.get('c')?.()
  t.strictSame(await Promise.all([b, c]), ['b', 'c'])
  const e = queue.offer(task('e'))
  finish.get('e')?.()
  t.equal(await e, 'e')
})
