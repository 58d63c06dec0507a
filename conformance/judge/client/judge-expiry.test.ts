import t from 'tap'
import { signsInAnew } from './judge-expiry.js'
import { type ObservedSignIn, RESOURCE } from './observed-sign-in.js'

type Use = readonly [token: string, status: number]

/** A client that asked for the resource so, and gave up. */
function observed(uses: readonly Use[], service = { tokenLifetime: 3 }) {
  const exchanges = uses.map(([token, status]) => ({
    request: {
      method: 'GET',
      path: RESOURCE,
      headers: [['Authorization', `Bearer ${token}`]],
    },
    response: { status, headers: [] },
  }))
  return {
    scenario: { title: 'signs in anew, once, each time that its token has expired', service },
    environment: { fetches: 5 },
    end: { signedIn: false, how: 'exit code 1' },
    owners: new Map(['first', 'second'].map((token) => [token, 'alice'])),
    exchanges,
    // The rest of what is observed is not looked at.
  } as unknown as ObservedSignIn
}

t.test('a client is not failed for a token that expired before it could be used', (t) => {
  const begun: readonly Use[] = [
    ['first', 200],
    ['first', 200],
  ]
  const unused: readonly Use[] = [...begun, ['second', 401]]
  for (const [uses, expected] of [
    [unused, 'cantTell'],
    [[['first', 401]], 'cantTell'],
    [[...begun, ['first', 401]], 'failed'],
    [[...begun, ['second', 200], ['first', 401]], 'failed'],
    // No token of this service.
    [[...begun, ['third', 401]], 'failed'],
  ] as const)
    t.equal(signsInAnew(observed(uses)).outcome, expected, JSON.stringify(uses))
  // Where the lifetime is days, none expires so.
  t.equal(signsInAnew(observed(unused, {} as never)).outcome, 'failed')
  t.end()
})
