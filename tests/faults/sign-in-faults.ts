import { specifiedBehaviour } from '../../reference/behaviour.js'
import type { Fault } from './fault.js'

const { errorStatus, tokenMembers } = specifiedBehaviour

/** Sign-in through an outside provider. What it yields is a token response, which every rule of 2.1 is about. */
export const SIGN_IN_FAULTS: readonly Fault[] = [
  {
    name: 'an external sign-in yields no userId',
    under: 'with userId',
    behaviour: { includesUserId: (configured, kind) => configured && kind === 'password' },
    failed: ['2.1-R4', '2.1-userId'],
  },
  {
    name: "an external sign-in yields another user's userId",
    under: 'with userId',
    behaviour: { signInExternally: (linked) => linked && { userName: linked.userName, userId: 'id-of-zoe' } },
    failed: ['2.1-R4', '2.1-userId'],
  },
  {
    name: 'an external sign-in signs in another user',
    behaviour: { signInExternally: (linked) => linked && { ...linked, userName: 'Zoë' } },
    failed: ['2.1-userName', '4.2-external-login'],
  },
  {
    name: 'an external sign-in lacks expires_in',
    behaviour: {
      tokenMembers: (grant, kind) =>
        tokenMembers(grant, kind).filter(([name]) => kind === 'password' || name !== 'expires_in'),
    },
    failed: ['2.1-expires_in', '4.2-external-login'],
  },
  {
    name: 'nobody is signed in through a provider',
    behaviour: { signInExternally: () => undefined },
    failed: ['4.2-external-login', '5-R3'],
  },
  {
    name: 'without a callback address the status is 400',
    behaviour: {
      errorStatus: (refusal) => (refusal === 'provider-unauthorized' ? 400 : errorStatus(refusal)),
    },
    failed: ['7-callback-status'],
  },
]
