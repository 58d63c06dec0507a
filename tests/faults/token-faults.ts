import { specifiedBehaviour } from '../../reference/behaviour.js'
import type { Member } from '../../reference/token-response.js'
import type { Fault } from './fault.js'

const { expiresAt, expiresIn, tokenMembers } = specifiedBehaviour

/** The members are changed before they are written. */
function members(change: (members: readonly Member[]) => readonly Member[]): Fault['behaviour'] {
  return { tokenMembers: (grant, kind) => change(tokenMembers(grant, kind)) }
}

const isUserId = ([name]: Member): boolean => name === 'userId'

/** Token responses of another shape. */
export const TOKEN_FAULTS: readonly Fault[] = [
  {
    name: 'userId is missing',
    under: 'with userId',
    behaviour: members((all) => all.filter((member) => !isUserId(member))),
    failed: ['2.1-R4', '2.1-userId'],
  },
  {
    name: 'userId is null',
    under: 'with userId',
    behaviour: members((all) => all.map((member) => (isUserId(member) ? ['userId', null] : member))),
    failed: ['2.1-R4', '2.1-userId'],
  },
  {
    name: 'userId stands before .expires',
    under: 'with userId',
    behaviour: members((all) => [...all.filter(isUserId), ...all.filter((member) => !isUserId(member))]),
    failed: ['2.1-R3'],
  },
  {
    name: 'another member comes with userId',
    under: 'with userId',
    behaviour: members((all) => (all.some(isUserId) ? [...all, ['tenant', 'contoso']] : all)),
    failed: ['2.1-R3'],
  },
  {
    name: 'userId is there by default',
    behaviour: { includesUserId: () => true },
    failed: ['2.1-userId-absent'],
  },
  {
    name: 'expires_in is two seconds under the lifetime',
    behaviour: { expiresIn: (lifetime) => Number(expiresIn(lifetime)) - 1 },
    failed: ['2.1-expires_in'],
  },
  {
    name: '.expires is a second early',
    behaviour: { expiresAt: (issuedAtMs, lifetime) => expiresAt(issuedAtMs, lifetime) - 1000 },
    failed: ['2.1-R2'],
  },
  {
    name: 'dates end in +0000',
    behaviour: { formatDate: (ms) => new Date(ms).toUTCString().replace('GMT', '+0000') },
    failed: ['2.1-expires', '2.1-issued'],
  },
  {
    name: 'two accounts get the same token',
    behaviour: { newAccessToken: () => 'the-one-and-only-token' },
    failed: ['2.1-access_token'],
  },
]
