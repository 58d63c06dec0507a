import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { assessTarget, type RunOptions } from '../../conformance/assess/assess-target.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import type { Outcome, Report } from '../../spec/model/report.js'
import { everyNth } from '../../tests/fixtures/effort.js'
import { freePorts } from './listen.js'

const TARGET = fileURLToPath(new URL('python.yaml', import.meta.url))
const missing = spawnSync('python3', ['--version']).status !== 0
const skip = missing && 'there is no python3 on this machine'

interface Bug {
  readonly name: string
  /** The rules that it breaks, by the words of the specification. */
  readonly failed: readonly string[]
  readonly why: string
  /** Where it shows. */
  readonly deployments: readonly string[]
  readonly runs?: number
}

/** Those of python/bugs.py. */
const BUGS: readonly Bug[] = [
  {
    name: 'passwords-cut-at-8',
    failed: ['4.1-credentials'],
    why: 'a password that goes on otherwise is another password',
    deployments: ['default'],
  },
  {
    name: 'underscore-is-a-letter',
    failed: [
      '7-one-per-violation',
      '8-alphanumeric-user-names-at-dot-underscore',
      '8-require-non-letter-or-digit',
    ],
    why: 'passwords with no other symbol are refused, with a message whose rule they keep; user names with it are not',
    deployments: ['default', 'other-policy'],
  },
  {
    name: 'no-full-stop',
    failed: ['7-digit-message', '7-one-per-violation'],
    why: 'the message is not that of section 7, and so the listed one is missing',
    deployments: ['default'],
  },
  {
    name: 'email-race',
    failed: ['8-unique-email'],
    why: 'of registrations at once each is the first',
    deployments: ['default'],
    // The bug is slow.
    runs: 5,
  },
  {
    name: 'user-id-first',
    failed: ['2.1-R3'],
    why: 'it is to come after `.expires`',
    deployments: ['with-user-id'],
  },
  {
    name: 'external-without-user-id',
    failed: ['2.1-R4', '2.1-userId'],
    why: 'where it is configured every token response has it, by either way to sign in',
    deployments: ['with-user-id'],
  },
  {
    name: 'trims-grant-type',
    failed: ['4.1-grant_type'],
    why: '`password` with white space around it is not `password`',
    deployments: ['default'],
  },
]
/** Enough for every systematic near miss. */
const BUG_RUNS = 50

t.jobs = 2

t.test('a server in Python is conformant, and every rule holds', { skip }, async (t) => {
  const report = await assessPython('none')
  t.equal(report.verdict, 'conformant')
  const outcomes = new Set(report.rules.map(({ outcome }) => outcome))
  // null: what nothing can judge. No rule is inapplicable: its three deployments declare all that there is.
  t.strictSame(outcomes, new Set<Outcome | null>(['passed', null]))
})

for (const { name, failed, why, deployments, runs = BUG_RUNS } of everyNth(BUGS, 6)) {
  t.test(`with the bug ${name} it breaks ${failed.join(', ')}`, { skip }, async (t) => {
    const report = await assessPython(name, { deployments, runs })
    t.equal(report.verdict, 'nonconformant')
    const broken = report.rules.filter(({ outcome }) => outcome === 'failed')
    t.strictSame(broken.map(({ id }) => id).sort(), failed, why)
  })
}

/** The suite starts the service, in two processes on free ports, and stops it. */
async function assessPython(bug: string, options: RunOptions = {}): Promise<Report> {
  const [port, userIdPort, providerPort, otherPort] = await freePorts(4)
  const target = loadTargetFile(TARGET, {
    INTEROP_ALICE_PASSWORD: 'Alice-1-pass-word',
    INTEROP_ZOE_PASSWORD: 'Zoë & 100% of =x+y',
    INTEROP_PORT: String(port),
    INTEROP_USER_ID_PORT: String(userIdPort),
    INTEROP_PROVIDER_PORT: String(providerPort),
    INTEROP_OTHER_PORT: String(otherPort),
    INTEROP_BUG: bug,
  })
  return await assessTarget(target, options)
}
