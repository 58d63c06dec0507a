import { loadSpecification } from '../../../spec/load/specification.js'
import type { Selection } from '../../../spec/model/report.js'
import { TOKEN_REQUEST_RULES } from '../../judge/client/token-request.js'
import { CASES } from '../../judge/traffic/exercised.js'
import { expectationsOf } from '../../judge/traffic/judge-answer.js'
import { refuseUnmatched, type Selectable, selectRules } from '../../plan/select.js'

/** A result before anything went by. */
export interface PlannedCase extends Selectable {
  readonly deployment: string
  readonly title: string
  /** It shows nothing where no valid request was granted. */
  readonly hasControl?: boolean
}

const TRAFFIC: readonly Omit<PlannedCase, 'id' | 'deployment'>[] = [
  {
    case: 'client:traffic/token-request',
    title: 'asks for tokens as the contract has it',
    rules: TOKEN_REQUEST_RULES,
  },
  {
    case: 'client:traffic/secrets',
    title: 'sends no secret where others read it',
    rules: ['client:request-secrets'],
  },
  { case: 'client:traffic/bearer', title: 'uses its token as a bearer', rules: ['client:request-bearer'] },
]

/** What is judged of traffic: the client's requests, then the service's answers. Each case has its judged rules alone. @throws AssayError `nothing-matches` */
export function planTraffic(selection: Pick<Selection, 'only' | 'skip'>): readonly PlannedCase[] {
  const cases = new Map(loadSpecification().cases.map((one) => [one.id, one]))
  const all: readonly PlannedCase[] = [
    ...TRAFFIC.map((one) => ({ ...one, id: `client/${one.case}`, deployment: 'client' })),
    ...CASES.map((id) => ({
      id: `default/${id}`,
      case: id,
      deployment: 'default',
      title: cases.get(id)?.title ?? id,
      hasControl: cases.get(id)?.control !== undefined,
      rules: expectationsOf(id).map(({ rule }) => rule),
    })),
  ]
  refuseUnmatched(all, selection, '`*` is any text, as in `4.1/*`')
  return selectRules(all, selection)
}
