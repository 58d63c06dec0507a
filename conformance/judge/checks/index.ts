import type { Checks } from '../../../spec/model/expectation.js'
import type { HttpResponse } from '../../exchange/http-response.js'
import { type CheckContext, type CheckResult, PASS } from './check-result.js'
import { checkAdvances, checkNearResponseTime, checkSpan } from './dates.js'
import { checkMember } from './member.js'
import {
  checkExactNames,
  checkHasMembers,
  checkOnlyMembers,
  checkSameAnswer,
  checkSameMembers,
} from './members.js'
import {
  checkCompactJson,
  checkEmptyBody,
  checkFound,
  checkHasString,
  checkHeader,
  checkJson,
  checkJsonObject,
  checkMediaType,
  checkNoDiagnostics,
  checkStatus,
  checkYieldsToken,
} from './message.js'
import {
  checkListedMessages,
  checkNeverSays,
  checkRegistered,
  checkRegisteredTimes,
  checkSays,
} from './registration.js'

type Check<Asked> = (response: HttpResponse, asked: Asked, context: CheckContext) => CheckResult

/** Every check that an expectation may hold, in the order in which a person would look. */
const CHECKS: { readonly [K in keyof Checks]-?: Check<NonNullable<Checks[K]>> } = {
  status: checkStatus,
  yieldsToken: checkYieldsToken,
  found: checkFound,
  mediaType: checkMediaType,
  jsonObject: checkJsonObject,
  json: checkJson,
  member: checkMember,
  hasMembers: checkHasMembers,
  onlyMembers: checkOnlyMembers,
  exactNames: checkExactNames,
  span: checkSpan,
  nearResponseTime: checkNearResponseTime,
  advances: checkAdvances,
  registered: checkRegistered,
  registeredTimes: (_, expected, context) => checkRegisteredTimes(context.copies ?? [], expected, context),
  says: checkSays,
  listedMessages: (response, _, context) => checkListedMessages(response, context),
  neverSays: (response, _, context) => checkNeverSays(response, context),
  sameMembersAs: checkSameMembers,
  sameAnswerAs: checkSameAnswer,
  header: checkHeader,
  compactJson: checkCompactJson,
  emptyBody: checkEmptyBody,
  hasString: checkHasString,
  noDiagnostics: checkNoDiagnostics,
  // Many answers decide it together: see `value-ledger.ts`.
  acrossAccounts: () => PASS,
  // A property in code decides it.
  property: () => PASS,
}

/** A check for each key of an expectation, in the order in which they are asked. */
export type CheckTable = ReadonlyMap<keyof Checks, Check<unknown>>

// Each check takes the value under its key: the record's type says so, key by key.
export const CHECK_TABLE = new Map(Object.entries(CHECKS)) as CheckTable

/** The result of the first asked check that does not pass; else a pass. */
export function checkAll(
  response: HttpResponse,
  asked: Checks,
  context: CheckContext,
  checks: CheckTable = CHECK_TABLE,
): CheckResult {
  for (const [key, check] of checks) {
    const value = asked[key]
    const result = value === undefined ? PASS : check(response, value, context)
    if (result.kind !== 'pass') return result
  }
  return PASS
}
