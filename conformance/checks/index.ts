import type { Checks } from '../../spec/types.js'
import type { Answer } from '../wire/answer.js'
import { checkAdvances, checkNearResponseTime, checkSpan } from './dates.js'
import { type CheckContext, type Finding, HOLDS } from './finding.js'
import { checkMember } from './member.js'
import { checkExactNames, checkHasMembers, checkOnlyMembers } from './members.js'
import {
  checkFound,
  checkJson,
  checkJsonObject,
  checkMediaType,
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
import { checkSameAnswer, checkSameMembers } from './same-answer.js'

type Check<Asked> = (answer: Answer, asked: Asked, context: CheckContext) => Finding

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
  listedMessages: (answer, _, context) => checkListedMessages(answer, context),
  neverSays: (answer, _, context) => checkNeverSays(answer, context),
  sameMembersAs: checkSameMembers,
  sameAnswerAs: checkSameAnswer,
  // Many answers decide it together: see `value-ledger.ts`.
  acrossAccounts: () => HOLDS,
  // A property in code decides it.
  proves: () => HOLDS,
}

// Listed once: every expectation of every answer goes through them.
const ALL = Object.entries(CHECKS)

/** The first of the asked checks that does not hold, or that they all do. */
export function checkAll(answer: Answer, asked: Checks, context: CheckContext): Finding {
  for (const [key, check] of ALL) {
    // The key is one of Checks, and its check takes what stands under it: the record's type says so, key by key.
    const value: unknown = asked[key as keyof Checks]
    if (value === undefined) continue
    const finding = (check as Check<unknown>)(answer, value, context)
    if (finding.kind !== 'holds') return finding
  }
  return HOLDS
}
