import t from 'tap'
import { type AnsweredSignIn, effectOf } from './effect.js'
import type { SignInReport } from './observed-sign-in.js'

const EXPIRES = 'Wed, 01 Sep 2027 12:00:00 GMT'

/** A sign-in of alice that a service granted, and that ended so. */
function signIn(
  signedIn: boolean,
  more: Partial<AnsweredSignIn> & { how?: string; reported?: SignInReport } = {},
) {
  const { how = `exit code ${signedIn ? 0 : 1}`, reported, ...own } = more
  return {
    ...{ environment: { userName: 'alice' }, exchanges: [], calledAtMs: 0, durationMs: 100 },
    ...{ expiresAtMs: Date.parse(EXPIRES), isGranted: true, isTelling: true },
    end: { signedIn, how, ...(reported && { reported }) },
    ...own,
    // The rest of what is observed is not looked at.
  } as unknown as AnsweredSignIn
}
const effect = (old: AnsweredSignIn, now: AnsweredSignIn) => Object.values(effectOf(old, now)).join(': ')
const refused = { isGranted: false }
const late = {
  end: { signedIn: false, how: 'signal SIGKILL', problem: 'it was ended', outOfTime: true },
} as const

t.test('a client is broken by what makes it worse off, and by nothing else', async (t) => {
  const reports = (reported: SignInReport) => signIn(true, { reported })
  const full = reports({ userName: 'alice', expiresAt: EXPIRES })
  const without = (expiresAt: string) =>
    signIn(true, { reported: { userName: 'alice', expiresAt }, expiresAtMs: undefined })
  for (const [old, now, expected] of [
    [signIn(true), signIn(true), 'same: '],
    [signIn(true), signIn(false), 'breaks: does not sign in'],
    [signIn(true), signIn(false, { ...late, durationMs: 15_000 }), 'breaks: does not end by itself'],
    [
      signIn(true, { durationMs: 6000 }),
      signIn(false, { ...late, durationMs: 15_000 }),
      'inconclusive: it was ended',
    ],
    [signIn(true, refused), signIn(false, refused), 'gains: no longer takes the refusal for a sign-in'],
    [signIn(false, refused), signIn(true), 'gains: signs in'],
    [signIn(false, refused), signIn(true, refused), 'breaks: takes the refusal for a sign-in'],
    [signIn(false, refused), signIn(false, refused), 'same: '],
    [
      signIn(false, refused),
      signIn(false, { ...refused, how: 'exit code 2' }),
      'breaks: reports another error: exit code 2, before exit code 1',
    ],
    [signIn(false, { isTelling: false }), signIn(false, { how: 'exit code 2' }), 'gains: tells the error'],
    [full, full, 'same: '],
    [full, reports({ userName: 'ALICE', expiresAt: EXPIRES }), 'breaks: reports another user name: ALICE'],
    [full, reports({ userName: 'alice' }), 'breaks: no longer reports expiresAt'],
    [reports({ userName: 'ALICE' }), reports({ userName: 'bob' }), 'same: '],
    [
      reports({ expiresAt: EXPIRES }),
      reports({ expiresAt: 'soon' }),
      'breaks: reports another time of expiry: soon',
    ],
    [full, without(''), 'breaks: no longer reports expiresAt'],
    [full, without('Invalid Date'), 'breaks: reports another time of expiry: Invalid Date'],
    [full, without('2027-09-01T12:00:00Z'), 'same: '],
    [signIn(true), full, 'same: '],
  ] as const)
    t.equal(effect(old, now), expected)
})
