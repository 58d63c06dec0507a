import type { Case, RequestTemplate } from '../../../spec/model/case.js'
import type { Expectation } from '../../../spec/model/expectation.js'
import type { Probe, Specification } from '../../../spec/model/specification.js'
import { RECORDED_SECTION } from '../../evidence/describe.js'
import { headerValues } from '../../exchange/headers.js'
import { plain } from '../../exchange/redactable-text.js'
import { FORM, prepareRequest } from '../../exchange/template.js'
import type { DeclaredService } from '../../judge/traffic/declared.js'
import { type CaseId, exercisedBy } from '../../judge/traffic/exercised.js'
import { basePathOf } from '../../target/base-path.js'
import { withTokenRequest } from '../../target/token-request.js'

/** The service that a recorded request is for. */
export type RecordedService = Pick<DeclaredService, 'baseUrl' | 'tokenRequest' | 'additionalGrantTypes'>

/** Where a request was recorded. */
export interface RecordedPlace {
  /** From 1, among the distinct requests. */
  readonly number: number
  /** The first entry of the file that is this request. */
  readonly entry: number
  readonly times: number
  /** What is sent with a made-up value: a refusal may be for that alone. */
  readonly changed: ReadonlySet<string>
}

const GRANT: CaseId = '4.1/password-grant'
const SHAPE: CaseId = '2.1/token-response'
/** A charset, or another letter case, is a "should". */
const SPELLED_TYPE = '4.1/content-type-spelling'

/**
 * A recorded request as the case of the suite that it is an instance of, judged by the same rules; or as an observation,
 * where it is none: the specification says nothing of it.
 */
export function recordedCase(
  base: Specification,
  template: RequestTemplate,
  service: RecordedService,
  { number, entry, times, changed }: RecordedPlace,
): Case | Probe {
  const id = `${RECORDED_SECTION}/${number}`
  const { contentType, case: exercised } = exercisedOf(template, service)
  const found = exercised === GRANT && contentType !== FORM ? SPELLED_TYPE : exercised
  const suite = base.cases.find((testCase) => testCase.id === found)
  const last = suite?.steps.at(-1)
  const more = changed.size > MAX_NAMED ? ', …' : ''
  const names = [...changed].slice(0, MAX_NAMED).join(', ')
  const made = changed.size === 0 ? '' : `; made up: ${names}${more}`
  const place = `entry ${entry}${times === 1 ? '' : `, ${times} times`}${made}`
  if (suite === undefined || last === undefined) {
    const references = JSON.stringify(template)
    const hasPassword = references.includes('$account.password')
    // Right credentials under their own names fail no login.
    const mayFail = !/"username",?:?"\$account\.userName".*"password",?:?"\$account\.password"/.test(
      references,
    )
    return {
      id,
      section: RECORDED_SECTION,
      statement: `a recorded ${template.method ?? 'POST'} that the specification leaves open (${place})`,
      ...(hasPassword ? { shows: 'grant', ...(mayFail ? { failedLogin: true } : {}) } : { shows: 'answer' }),
      steps: [{ send: template }],
    }
  }
  // What it draws is recorded.
  const { forall: _forall, inputs: _inputs, quick: _quick, failedLoginShare: _share, ...kept } = suite
  // Where a spelling may be refused, only what comes of it if it is not.
  const shape = shapeOf(base).filter(({ given }) => found === GRANT || given === 'success')
  const isGrant = found === GRANT || found === SPELLED_TYPE
  const expected = [...(last.expect ?? []), ...(isGrant ? shape : [])]
  const hint = `if the service checks what is made up here (${names}${more}), declare it in \`tokenRequest\` or \`headers\``
  const expect = changed.size === 0 ? expected : expected.map((one) => ({ ...one, hint }))
  return {
    ...kept,
    id,
    section: RECORDED_SECTION,
    title: `${suite.title}, as recorded (${place})`,
    control: GRANT,
    steps: [...suite.steps.slice(0, -1), { ...last, send: template, expect }],
  }
}

/** What is expected of every answer that yields a token. What is asked of all answers together, the suite's own case asks. */
function shapeOf({ cases }: Specification): readonly Expectation[] {
  const expected = cases.find(({ id }) => id === SHAPE)?.steps.at(-1)?.expect ?? []
  return expected.filter(({ acrossAccounts }) => acrossAccounts === undefined)
}

/** Of made-up values: a title is one line. */
const MAX_NAMED = 5

/** What a request is an instance of does not depend on who signs in. */
const ANYONE = { userName: 'anyone', password: 'Of-anyone-1' }
const BINDINGS = { account: { userName: plain(ANYONE.userName), password: plain(ANYONE.password) } }

function exercisedOf(template: RequestTemplate, service: RecordedService) {
  const { tokenRequest, baseUrl } = service
  const whole = tokenRequest === undefined ? template : withTokenRequest(template, tokenRequest)
  const { wire } = prepareRequest(whole, BINDINGS, basePathOf({ baseUrl }))
  const contentType = headerValues(wire.headers, 'content-type').join(', ')
  return { contentType, case: exercisedBy({ request: wire }, { ...service, accounts: [ANYONE] }).case }
}
