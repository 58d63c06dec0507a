import t from 'tap'
import { createPasswordHasher } from './password-hash.js'

for (const hashing of ['argon2id', 'fast'] as const)
  t.test(`${hashing}: a password is known by its hash, and no one's is like any other`, async (t) => {
    const { hash, verify, unknownUser } = await createPasswordHasher(hashing)
    const stored = await hash('Secret-1')
    t.equal(await verify(stored, 'Secret-1'), true)
    t.equal(await verify(stored, 'Secret-2'), false)
    t.equal(await verify(unknownUser, 'Secret-1'), false)
    t.equal(await verify(unknownUser, ''), false)
    // The same parameters, and salt and digest of the same lengths: what a computation costs hangs on these.
    const form = (text: string): readonly unknown[] =>
      text.split('$').map((part, index) => (index < 4 && part.length < 40 ? part : part.length))
    t.strictSame(form(unknownUser), form(stored))
    t.not(unknownUser, (await createPasswordHasher(hashing)).unknownUser, 'another one for each')
  })
