import t from 'tap'
import type { Behaviour } from '../../../reference/behaviour.js'
import { startProvider } from '../../../reference/provider/provider.js'
import { signToken } from '../../../reference/signed-token.js'
import { tokenMembers } from '../../../reference/token-response.js'
import type { Rehearsal } from '../../../spec/generated/types/rehearsal.js'
import { resolveTarget } from '../../target/target.js'
import { repeatCors } from './fixtures/answer-faults.js'
import { ANN, CORS, type CutOverService, startCutOver } from './fixtures/cut-over.js'
import { deciding, OLD, OTHER_KEY, READS_BOTH } from './fixtures/planted-fault.js'
import { redNames } from './fixtures/red-names.js'
import { rehearse } from './rehearse.js'

const CLIENT = { clientId: 'cut-over', clientSecret: 'secret-of-the-client' }
const MAX_WAIT_MS = 15 * 86_400_000

/** Rehearses a cut-over whose users also sign in through one provider. @param codeAt where its answer is said to have the code */
async function rehearseOutside(now: CutOverService, codeAt = '/code'): Promise<Rehearsal> {
  await using provider = await startProvider({
    clients: [{ ...CLIENT, redirectUris: ['http://127.0.0.1/callback'] }],
  })
  const { url, tokenEndpoint, userInfoEndpoint } = provider
  const withProvider = (service: CutOverService): CutOverService =>
    // Every user of the provider is the account.
    service.map((instance) => () => ({
      ...instance(),
      behaviour: { ...instance().behaviour, signInExternally: () => ANN },
      providers: [
        {
          ...CLIENT,
          name: 'acme',
          redirectUri: 'http://127.0.0.1/callback',
          tokenEndpoint,
          userInfoEndpoint,
        },
      ],
    }))
  const externalLogin = {
    prepare: {
      request: { url: `${url}/code`, json: { user: 'ann-at-acme', clientId: CLIENT.clientId } },
      capture: { code: codeAt },
    },
    request: { path: '/external-login', json: { provider: 'acme', code: '$code' } },
    account: ANN.userName,
  }
  await using running = await startCutOver({
    old: withProvider(OLD),
    new: withProvider(now),
    declares: { externalLogin, origins: CORS.origins },
  })
  const { target, clock, restarts } = running
  return await rehearse(resolveTarget(target), { clock, restarts, maxWaitMs: MAX_WAIT_MS })
}

const external = ({ cells }: Rehearsal, row: string): readonly string[] =>
  cells
    .filter(({ id }) => id.startsWith(row) && id.endsWith(', external'))
    .map(({ when, outcome }) => `${when} ${outcome}`)

t.test(
  'a pair that is right: the tokens of an external sign-in are accepted as long as they live',
  async (t) => {
    const report = await rehearseOutside([() => READS_BOTH])
    t.equal(report.verdict, 'as-expected', report.inconclusive.join('\n'))
    for (const row of ['old→old', 'old→new', 'new→old', 'new→new'])
      t.strictSame(
        external(report, row),
        [
          'at-once accepted',
          'issuer-restarted accepted',
          'acceptor-restarted accepted',
          'near-end accepted',
          'after-end refused',
        ],
        row,
      )
    t.strictSame(
      report.facts.filter(({ id }) => id.includes('external')).map(({ of, value }) => `${of}: ${value}`),
      ['old: allowed', 'new: allowed'],
    )
  },
)

t.test('an external sign-in whose tokens the resource cannot read is red, and nothing else is', async (t) => {
  const report = await rehearseOutside(deciding(() => ({ tokenMembers: signedElsewhere })))
  t.strictSame(
    redNames(report),
    ['at-once', 'issuer-restarted', 'acceptor-restarted', 'near-end'].map(
      (when) => `new→new, ${when}, external`,
    ),
  )
  t.match(report.cells.find(({ differs }) => differs)?.evidence, {
    sentence:
      'new refuses (401) a token that new issued for an external sign-in, at once; expected: accepted, as the old service does (old→old, at-once, external)',
    exchanges: [{ label: 'prepare' }, { label: 'sign-in' }, { label: 'resource', response: { status: 401 } }],
    reproduce: /ASSAY_code=.*ASSAY_token=.*Bearer '"\$ASSAY_token"/s,
  })
})

t.test('pages of another origin that may not read an external sign-in', async (t) => {
  // Two lines of one header are no origin to a browser.
  for (const times of [0, 2] as const) {
    const now = deciding(repeatCors(times, ({ path }) => path.endsWith('/external-login')))
    t.strictSame(redNames(await rehearseOutside(now)), [`new, cors, an external sign-in, ${CORS.origins[0]}`])
  }
})

t.test('a sign-in that could not be prepared says why, and is no answer of the service', async (t) => {
  const { cells, facts } = await rehearseOutside([() => READS_BOTH], '/codes')
  const cell = cells.find(({ id }) => id === 'new→new, at-once, external')
  t.match(cell, {
    outcome: 'error',
    why: 'no token was issued: the sign-in could not be prepared: its answer has no text at /codes',
  })
  t.notOk(facts.some(({ id }) => id.includes('external')))
})

/** What an external sign-in issues is signed with the key of another environment. */
const signedElsewhere: Behaviour['tokenMembers'] = (grant, kind) => {
  if (kind !== 'external-login') return tokenMembers(grant)
  const times = { issuedAtMs: Date.parse(grant.issued), expiresAtMs: Date.parse(grant.expires) }
  const issued = { userName: grant.bearer.userName, userId: grant.bearer.userId, ...times }
  return tokenMembers({ ...grant, accessToken: signToken({ use: 'access', issued }, [OTHER_KEY]) })
}
