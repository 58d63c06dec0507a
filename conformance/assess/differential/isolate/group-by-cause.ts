import { groupBy } from '../../../../spec/model/items.js'
import type { PlaceDifference } from '../compare/compare-answers.js'
import { PLAIN_LOGIN } from '../compare/compare-tokens.js'
import type { Comparer } from '../compare/comparer.js'
import type { Discrepancy } from '../compare/discrepancies.js'
import type { Witness } from '../compare/explore.js'
import { type CauseGroup, joined, sizeOf } from './cause-group.js'
import { causeAmong } from './consequences.js'
import { groupByRequest } from './group-by-request.js'
import { type SmallestWitness, shrink } from './shrink.js'

/** Of discrepancies that are the same whatever the request, so many are shrunk. */
const REPRESENTATIVES = 3
/** And so many where the smallest requests follow from other causes. */
const MAX_SHRUNK = 12
/** Of discrepancies that may follow from another one, so many are tested. */
const MAX_TESTED = 300

/**
 * Groups discrepancies by their cause. Whether a request is accepted depends on the request: there the smallest request is
 * the cause. An answer that differs in the same way wherever it is given has that way as its cause.
 */
export async function groupByCause(
  comparer: Comparer,
  witnesses: readonly Witness[],
): Promise<readonly CauseGroup[]> {
  const bySignature = [...groupBy(witnesses, ({ discrepancy }) => discrepancy.signature)]
  const isFate = ([signature]: (typeof bySignature)[number]): boolean => signature.startsWith('fate ')
  const fates: CauseGroup[] = []
  for (const [signature, all] of bySignature.filter(isFate))
    fates.push(...(await groupByRequest(comparer, signature, all)))
  const causes = await joinConsequences(comparer, fates)
  const groups: CauseGroup[] = []
  for (const [signature, all] of bySignature.filter((one) => !isFate(one))) {
    const group = await groupOfAnswers(comparer, signature, all, causes)
    if (group !== undefined) groups.push(group)
  }
  return withoutSharedHeaders([...causes, ...groups])
}

/** Requests that are accepted elsewhere too, because a service reads one place differently. */
async function joinConsequences(comparer: Comparer, groups: readonly CauseGroup[]): Promise<CauseGroup[]> {
  const sorted = groups.toSorted(
    (a, b) => sizeOf(a.smallest) - sizeOf(b.smallest) || (a.key < b.key ? -1 : 1),
  )
  const causes: CauseGroup[] = []
  for (const group of sorted) {
    const cause = await causeAmong(comparer, group.smallest, causes)
    if (cause === undefined) causes.push(group)
    else causes[causes.indexOf(cause)] = joined(cause, group)
  }
  return causes
}

/** The discrepancies of one kind that follow from none of the causes. What follows from a cause is counted there. */
async function groupOfAnswers(
  comparer: Comparer,
  key: string,
  all: readonly Witness[],
  causes: CauseGroup[],
): Promise<CauseGroup | undefined> {
  const addTo = (cause: CauseGroup, witness: Witness): void => {
    causes[causes.indexOf(cause)] = { ...cause, behind: [...cause.behind, witness] }
  }
  const behind: Witness[] = []
  for (const [index, witness] of all.entries()) {
    const cause = index < MAX_TESTED ? await causeAmong(comparer, witness, causes) : undefined
    if (cause === undefined) behind.push(witness)
    else addTo(cause, witness)
  }
  const shrunk: SmallestWitness[] = []
  // The request that differs least is likely to be small already.
  for (const witness of behind.toSorted((a, b) => sizeOf(a) - sizeOf(b)).slice(0, MAX_SHRUNK)) {
    if (shrunk.length >= REPRESENTATIVES) break
    const small = await shrink(comparer, witness)
    const cause = await causeAmong(comparer, small, causes)
    if (cause === undefined) shrunk.push(small)
    else {
      addTo(cause, witness)
      behind.splice(behind.indexOf(witness), 1)
    }
  }
  const [smallest, ...others] = shrunk.toSorted((a, b) => sizeOf(a) - sizeOf(b))
  return smallest && { key, smallest, others, also: [], behind }
}

/** Headers that differ in every answer are one group. What other groups of headers have beyond those is left. */
function withoutSharedHeaders(groups: readonly CauseGroup[]): readonly CauseGroup[] {
  const headers = groups
    .map(({ smallest }) => smallest.discrepancy)
    .filter(({ about }) => about === 'headers')
  return groups.flatMap((group) => {
    const { discrepancy } = group.smallest
    const { about, differences } = discrepancy
    if (about !== 'headers') return group
    const shared = headers
      .filter((other) => other.differences.length < differences.length)
      .filter((other) => other.differences.every((one) => includes(differences, one)))
      .flatMap((other) => other.differences)
    const rest = differences.filter((one) => !includes(shared, one))
    if (rest.length === 0) return []
    const smallest = { ...group.smallest, discrepancy: { ...discrepancy, differences: rest } }
    return { ...group, smallest }
  })
}

/** Whether a place differs in every answer alike: that is a group of its own. */
export function sharedHeaders(groups: readonly CauseGroup[]): (one: PlaceDifference) => boolean {
  const shared = groups
    .map(({ smallest }) => smallest.discrepancy)
    .filter(({ about }) => about === 'headers')
    .flatMap(({ differences }) => differences)
  return (one) => shared.some(({ at, old, new: now }) => at === one.at && old === one.old && now === one.new)
}

/** What differs in the tokens of many logins, with the answers that show it: only the token differs in them. */
export function tokenGroup(discrepancy: Discrepancy, witnesses: readonly Witness[]): CauseGroup {
  const smallest = { probe: PLAIN_LOGIN, discrepancy, limited: false }
  const same = witnesses.filter(({ discrepancy: { differences } }) =>
    differences.every(({ at }) => at === '/access_token'),
  )
  return { key: discrepancy.signature, smallest, others: [], also: [], behind: [smallest, ...same] }
}

function includes(all: readonly PlaceDifference[], one: PlaceDifference): boolean {
  return all.some(({ at, new: now }) => at === one.at && now === one.new)
}
