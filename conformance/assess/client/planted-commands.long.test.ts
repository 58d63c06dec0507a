import { fileURLToPath } from 'node:url'
import t from 'tap'
import { clientSuite } from '../../../spec/load/client-suite.js'
import type { Report } from '../../../spec/model/report.js'
import { everyNth, seedsByTurns } from '../../../tests/fixtures/effort.js'
import { commandClient } from '../../drivers/host/run-command.js'
import { assessClient } from './assess-client.js'

const FOLDER = new URL('../../../tests/fixtures/clients/', import.meta.url)

/** The same client in three languages: what it does wrong is its argument. */
const LANGUAGES = [
  [process.execPath, 'sign-in.mjs'],
  ['/usr/bin/python3', 'sign_in.py'],
  ['sh', 'sign-in.sh'],
] as const

/** Each with the scenarios that it is to be seen in, and the rules that it breaks. */
const FAULTS: Readonly<Record<string, readonly [only: readonly string[], breaks: readonly string[]]>> = {
  '': [['*'], []],
  'root-path': [['client:request/*'], ['client:request-path']],
  'last-segment': [['client:request/*'], ['client:request-path']],
  'unescaped-path': [['client:request/*'], ['client:request-path']],
  'any-200': [['client:wrong/*', 'client:refusal/404'], ['client:wrong-bearer']],
  'any-json': [
    ['client:wrong/*', 'client:refusal/documented', 'client:answer/there*'],
    ['client:refusal-bearer', 'client:wrong-bearer'],
  ],
  'only-401': [
    ['client:wrong/no-token', 'client:refusal/40*', 'client:answer/there*'],
    ['client:refusal-bearer', 'client:wrong-bearer'],
  ],
  'asks-again': [['client:refusal/*', 'client:request/plain'], ['client:refusal-retry']],
  'trace-header': [['client:request/*'], ['client:request-secrets']],
  'user-agent': [['client:request/*'], ['client:request-secrets']],
  'password-query': [['client:request/*'], ['client:request-secrets']],
  'password-body': [['client:request/*'], ['client:request-secrets']],
  'token-cookie': [['client:request/*'], ['client:request-bearer']],
  'token-referer': [['client:request/*'], ['client:request-bearer']],
  'token-body': [['client:request/*'], ['client:request-bearer']],
  'token-path': [['client:request/*'], ['client:request-secrets', 'client:request-bearer']],
  'shared-cache': [['client:request/*', 'client:refusal/*', 'client:wrong/*'], ['client:request-account']],
  waits: [['client:refusal/silence', 'client:refusal/drip'], ['client:answer-patience']],
  follows: [['client:refusal/*'], ['client:request-redirect']],
  'any-type': [['client:wrong/*'], ['client:wrong-token_type']],
}

const broken = ({ rules }: Report) => rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))

/** The one scenario that depends on the seed. */
const SEARCH = clientSuite().search.id

// For each change, every fourth fault in one language: what keeps the contract is in `client-commands.long.test.ts`. At
// night all, and each fault under every seed in one language or another.
for (const [index, [fault, [only, breaks]]] of everyNth([...Object.entries(FAULTS).entries()], 4, 2))
  for (const [command, file] of everyNth(LANGUAGES, LANGUAGES.length, index))
    t.test(`${file}, ${fault || 'which keeps the contract'}`, async (t) => {
      const skip = [
        // Those that take any answer look at no part of it.
        ...(breaks.includes('client:wrong-bearer') ? ['client:wrong/token-type'] : []),
        // A head that has a long token once more is too long for a service.
        ...(['token-cookie', 'token-referer', 'token-path'].includes(fault)
          ? ['client:answer-access_token']
          : []),
        ...(['', 'waits'].includes(fault) ? [] : ['client:refusal/silence', 'client:refusal/drip']),
      ]
      // These clients wait for 20 seconds, which is enough on a busy machine.
      const patienceMs = fault === 'waits' ? 3000 : 120_000
      const turn = index + LANGUAGES.findIndex(([, one]) => one === file)
      for (const seed of seedsByTurns(turn, LANGUAGES.length)) {
        // Empty for each run: what an earlier one left there is a token of no service of this one.
        const args = [fileURLToPath(new URL(file, FOLDER)), fault, t.testdir({})]
        const client = commandClient(command, args, 60_000)
        const options = { seed, runs: 2, only: [...only, SEARCH], skip, patienceMs }
        const report = await assessClient(client, options)
        t.strictSame(broken(report), breaks, `seed ${seed}`)
        const open = report.results.filter(({ outcome }) => outcome === 'cantTell' || outcome === 'untested')
        t.strictSame(
          open.map(({ judgements }) => judgements),
          [],
          `seed ${seed}`,
        )
      }
    })
