import type { Case, Step } from '../../../spec/model/case.js'
import type { Expectation } from '../../../spec/model/expectation.js'
import type { Selection } from '../../../spec/model/report.js'
import { GENERATORS } from '../../generators/index.js'
import type { Planned } from '../../plan/plan.js'
import { judgedRules } from '../../plan/select.js'
import type { Deployment } from '../../target/deployment.js'
import { unmetCondition } from '../../target/unmet-condition.js'
import type { Script, ScriptCase, ScriptStep } from './script.js'

export interface ChosenCases extends Pick<Script, 'cases' | 'grant' | 'inputs'> {
  /** What is left to `token-assay run`, by the reason: the ids of cases, or a case and a rule that it does not judge. */
  readonly left: ReadonlyMap<string, readonly string[]>
}

/** The generators whose inputs are made from no account, and so may be written into a file. */
const EXPORTED: readonly string[] = ['unsupported-grant-type', 'wrong-media-type', 'media-type']

/** Divides what a run would do into what a k6 script can show, and what only `token-assay run` can. */
export function chooseCases(
  items: readonly Planned[],
  deployment: Deployment,
  selection: Selection = {},
): ChosenCases {
  const left = new Map<string, string[]>()
  const leave = (why: string, what: string): void => void left.set(why, [...(left.get(why) ?? []), what])
  const cases: ScriptCase[] = []
  let grant: Script['grant'] = { id: '', expect: [] }
  for (const { id: resultId, case: testCase, not } of items) {
    if (not?.outcome === 'untested') continue
    const why = not?.reason ?? obstacle(testCase)
    if (why !== undefined) {
      leave(why, testCase.id)
      continue
    }
    const { id, title, account, control, forall, invariant } = testCase
    const isJudged = judgedRules(selection, { id: resultId, case: testCase.id })
    const steps = testCase.steps.map((step) => stepOf(step, deployment, isJudged))
    const ofWholeRun = testCase.steps
      .flatMap(({ expect = [] }) => expect)
      .filter((expected) => needsWholeRun(expected) && isJudged(expected.rule))
    for (const rule of new Set(ofWholeRun.map((expected) => expected.rule)))
      leave('compares the answers of a whole run', `${id} ${rule}`)
    if (steps.every(({ expect }) => expect.length === 0)) continue
    cases.push({
      id,
      title,
      ...(account && { account }),
      ...(control === undefined ? {} : { control }),
      ...(forall && { forall }),
      steps,
    })
    if (invariant === 'token') grant = { id, expect: steps.at(-1)?.expect ?? [] }
  }
  return { cases, grant, inputs: inputsOf(cases, deployment), left }
}

/** Why a case cannot be sent from a k6 script, or should not be. */
function obstacle({ steps, forall, failedLogin }: Case): string | undefined {
  if (failedLogin) return 'its failed logins would lock accounts under load'
  if (steps.some(({ register, property }) => register !== undefined || property !== undefined))
    return 'registers accounts, or is a property in code'
  if (steps.some(({ signIn }) => signIn !== undefined)) return 'signs in through an outside provider'
  if (steps.some(({ at }) => at === 'sibling')) return 'compares two deployments'
  if (steps.some(({ at }) => at === 'one-connection')) return 'needs a connection of its own'
  if (steps.some(({ send }) => JSON.stringify(send?.query ?? null).includes('.password')))
    return 'puts a password into a URL, which load tools record'
  const generators = Object.values(forall ?? {})
  if (generators.some((name) => !EXPORTED.includes(name)))
    return 'its inputs are made from credentials, which must not be in a file'
  const known = ['account', 'other', ...Object.keys(forall ?? {})]
  const named = JSON.stringify(steps.map(({ send }) => send ?? {})).matchAll(/\$\$|\$([A-Za-z]\w*)/g)
  if ([...named].some(([, name]) => name !== undefined && !known.includes(name)))
    return 'refers to what only a run makes'
  return undefined
}

function stepOf(
  { name, waitMs, send = {}, expect = [] }: Step,
  deployment: Deployment,
  isJudged: (rule: string) => boolean,
): ScriptStep {
  const applies = ({ when, rule }: Expectation): boolean =>
    isJudged(rule) && (when === undefined || unmetCondition(when, deployment, false) === undefined)
  return {
    ...(name === undefined ? {} : { name }),
    ...(waitMs === undefined ? {} : { waitMs }),
    send,
    expect: expect
      .filter((expected) => applies(expected) && !needsWholeRun(expected))
      .map(
        ({ when: _when, hint: _hint, hintIfOtherCase: _case, hintUnlessError: _error, ...expected }) =>
          expected,
      ),
  }
}

/** The one kind of check that is not judged of single answers; see `value-ledger.ts`. */
function needsWholeRun({ acrossAccounts }: Expectation): boolean {
  return acrossAccounts !== undefined
}

function inputsOf(cases: readonly ScriptCase[], deployment: Deployment): Script['inputs'] {
  const [account] = deployment.accounts
  const scope = { deployment, account, runNonce: '' }
  const names = [...new Set(cases.flatMap(({ forall }) => Object.values(forall ?? {})))]
  return Object.fromEntries(
    names.map((name) => [
      name,
      (GENERATORS.get(name)?.examples(scope) ?? [])
        .map(String)
        .filter((input) => !deployment.additionalGrantTypes.includes(input)),
    ]),
  )
}
