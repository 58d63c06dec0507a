import t, { type Test } from 'tap'
import { assessFault } from './faults/assess-fault.js'
import type { Fault } from './faults/fault.js'
import { FORM_FAULTS } from './faults/form-faults.js'
import { MESSAGE_FAULTS } from './faults/message-faults.js'
import { POLICY_FAULTS } from './faults/policy-faults.js'
import { REGISTRATION_FAULTS } from './faults/registration-faults.js'
import { SIGN_IN_FAULTS } from './faults/sign-in-faults.js'
import { TOKEN_FAULTS } from './faults/token-faults.js'

const FAULTS: readonly Fault[] = [
  ...POLICY_FAULTS,
  ...MESSAGE_FAULTS,
  ...REGISTRATION_FAULTS,
  ...SIGN_IN_FAULTS,
  ...FORM_FAULTS,
  ...TOKEN_FAULTS,
]

// Each waits a second for the clock of its server to go on.
t.jobs = 6

t.test('without a fault no rule is broken', (t) => judged(t, { name: 'none', behaviour: {}, failed: [] }))

for (const fault of FAULTS) t.test(fault.name, (t) => judged(t, fault))

/** Just the rules that the fault breaks are red, each shown by the smallest input that breaks it. */
async function judged(t: Test, fault: Fault): Promise<void> {
  const report = await assessFault(fault)
  const failed = report.rules.filter(({ outcome }) => outcome === 'failed')
  t.strictSame(failed.map(({ id }) => id).sort(), fault.failed)
  if (fault.failed.length === 0) t.equal(report.verdict, 'conformant')
  for (const [id, smallest] of Object.entries(fault.smallest ?? {})) {
    const { counterexample } =
      report.results.find((result) => result.case === id && result.outcome === 'failed') ?? {}
    const [value] = Object.values(counterexample?.values ?? {})
    t.match(typeof value === 'string' ? value : JSON.stringify(value), smallest, id)
  }
}
