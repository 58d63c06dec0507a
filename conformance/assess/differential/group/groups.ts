import { createHash } from 'node:crypto'
import type { Step } from '../../../../spec/model/case.js'
import type { Experiment } from '../../../drivers/pair/experiment.js'
import type { Probe } from '../../../drivers/pair/probe.js'
import type { Part } from '../compare/parts.js'
import { traitsOf } from '../report/describe-request.js'
import type { Shown } from '../shrink/reasons.js'
import { type Smallest, shrink } from '../shrink/shrink.js'
import { causeAmong } from './follows-from.js'
import { haveOneCause } from './same-cause.js'

/** Differences with one cause: the smallest request that shows it, and all that showed it first. */
export interface Group {
  readonly key: string
  readonly smallest: Smallest
  /** Other smallest requests, where the first turns out to be noise. */
  readonly others: readonly Smallest[]
  /** The smallest of other kinds that have the same cause. */
  readonly also: readonly Smallest[]
  readonly behind: readonly Shown[]
}

/** Of differences that are the same whatever the request, so many are made as small as they can be. */
const REPRESENTATIVES = 3
/** And so many where the smallest follow from another difference. */
const MAX_SHRUNK = 12
/** More values than these, each its own smallest, have one cause that is seen in none of them. */
const MAX_PARTICULAR = 3

/**
 * Groups differences by their cause. Whether a request is let in depends on the request: there the smallest request is
 * the cause. Of an answer that is another one in the same way wherever it is given, the way is.
 */
export async function groupByCause(
  experiment: Experiment,
  shown: readonly Shown[],
): Promise<readonly Group[]> {
  const bySignature = new Map<string, Shown[]>()
  for (const one of shown) {
    const own = bySignature.get(one.part.signature)
    if (own === undefined) bySignature.set(one.part.signature, [one])
    else own.push(one)
  }
  const isFate = ([, all]: readonly [string, readonly Shown[]]): boolean => all[0]?.part.about === 'fate'
  const fates: Group[] = []
  for (const [signature, all] of [...bySignature].filter(isFate))
    fates.push(...(await byRequest(experiment, signature, all)))
  const causes = await joinConsequences(experiment, fates)
  const groups: Group[] = []
  for (const [signature, all] of [...bySignature].filter((one) => !isFate(one))) {
    const { rest, followers } = await withoutConsequences(experiment, all, causes)
    for (const [key, own] of followers) extend(causes, key, own)
    const smallest: Smallest[] = []
    const behind = [...rest]
    // The one that asks least is the likeliest to be small already.
    for (const one of rest.toSorted((a, b) => sizeOf(a) - sizeOf(b)).slice(0, MAX_SHRUNK)) {
      if (smallest.length >= REPRESENTATIVES) break
      const small = await shrink(experiment, one)
      const cause = await causeAmong(experiment, small, causes)
      if (cause === undefined) smallest.push(small)
      else {
        extend(causes, cause.key, [one])
        behind.splice(behind.indexOf(one), 1)
      }
    }
    const [first, ...others] = smallest.toSorted((a, b) => sizeOf(a) - sizeOf(b))
    if (first !== undefined) groups.push({ key: signature, smallest: first, others, also: [], behind })
  }
  return absorb([...causes, ...groups])
}

/** Of differences that may follow from another one, so many are put to the test. */
const MAX_TESTED = 300

/** What does not follow from one of the causes, and what does from which. */
async function withoutConsequences(
  experiment: Experiment,
  all: readonly Shown[],
  causes: readonly Group[],
): Promise<{ readonly rest: readonly Shown[]; readonly followers: ReadonlyMap<string, readonly Shown[]> }> {
  const rest: Shown[] = []
  const followers = new Map<string, Shown[]>()
  for (const [index, shown] of all.entries()) {
    const cause = index < MAX_TESTED ? await causeAmong(experiment, shown, causes) : undefined
    if (cause === undefined) rest.push(shown)
    else followers.set(cause.key, [...(followers.get(cause.key) ?? []), shown])
  }
  return { rest, followers }
}

function extend(groups: Group[], key: string, own: readonly Shown[]): void {
  const at = groups.findIndex((group) => group.key === key)
  const known = groups[at]
  if (known !== undefined) groups[at] = { ...known, behind: [...known.behind, ...own] }
}

/** Requests that are let in elsewhere too, since a service reads a place otherwise: a name that is taken, for one. */
async function joinConsequences(experiment: Experiment, groups: readonly Group[]): Promise<Group[]> {
  const sorted = groups.toSorted(
    (a, b) => sizeOf(a.smallest) - sizeOf(b.smallest) || (a.key < b.key ? -1 : 1),
  )
  const causes: Group[] = []
  for (const group of sorted) {
    const cause = await causeAmong(experiment, group.smallest, causes)
    if (cause === undefined) causes.push(group)
    else {
      const at = causes.indexOf(cause)
      causes[at] = joined(cause, group)
    }
  }
  return causes
}

function joined(group: Group, other: Group): Group {
  return {
    ...group,
    others: [...group.others, other.smallest, ...other.others],
    also: [...group.also, other.smallest, ...other.also],
    behind: [...group.behind, ...other.behind],
  }
}

function sizeOf({ probe, part }: Shown): number {
  const { steps } = probe.testCase
  return (
    steps.length * 1000 +
    traitsOf(steps, part.step).length * 100 +
    (probe.mayFail ? 50 : 0) +
    (probe.testCase.forall === undefined ? 0 : 10)
  )
}

/** The group that says most goes first: it gives the finding its name. A made-up text says less than how it was changed. */
function byPlainness(a: Group, b: Group): number {
  const rank = ({ key, smallest }: Group): number => sizeOf(smallest) + (key.includes('"') ? 20 : 0)
  return rank(a) - rank(b) || (a.key < b.key ? -1 : 1)
}

async function byRequest(
  experiment: Experiment,
  signature: string,
  all: readonly Shown[],
): Promise<readonly Group[]> {
  const byTraits = new Map<string, { smallest: Smallest; others: Smallest[]; behind: Shown[] }>()
  for (const one of all) {
    const smallest = await shrink(experiment, one)
    const key = `${signature} | ${causeOf(smallest)}`
    const known = byTraits.get(key)
    if (known === undefined) byTraits.set(key, { smallest, others: [], behind: [one] })
    else {
      known.others.push(smallest)
      known.behind.push(one)
    }
  }
  const groups = [...byTraits]
    .map(([key, group]): Group => ({ key, also: [], ...group }))
    .toSorted(byPlainness)
  let merged: readonly Group[] = []
  for (const group of groups) {
    const same: Group[] = []
    for (const known of merged) if (await isOfOneCause(experiment, known, group)) same.push(known)
    const whole = [...same, group].reduce(joined)
    merged = [...merged.filter((known) => !same.includes(known)), whole].toSorted(byPlainness)
  }
  return mergeParticular(merged)
}

async function isOfOneCause(experiment: Experiment, known: Group, group: Group): Promise<boolean> {
  for (const one of [known.smallest, ...known.also])
    if (await haveOneCause(experiment, one, group.smallest)) return true
  return false
}

/** What the smallest request differs in. */
function causeOf({ probe, part }: Shown): string {
  const { steps } = probe.testCase
  return steps
    .slice(0, part.step + 1)
    .map((step, at) => traitsOf(steps, at).join(', ') || kindOf(step))
    .join(' → ')
}

function kindOf(step: Step | undefined): string {
  return step?.register === undefined ? 'the plain login' : 'a plain registration'
}

/** Many values of one parameter that have nothing in common but the parameter. */
function mergeParticular(groups: readonly Group[]): readonly Group[] {
  const general = (key: string): string =>
    key
      .replace(/"(?:[^"\\]|\\.)*"(?:… \(\d+ characters\))?/g, '"…"')
      .replace(/`Content-Type: (?!application\/x-www-form-urlencoded)[^`]*`/i, '`Content-Type: …`')
  const byGeneral = new Map<string, Group[]>()
  for (const group of groups)
    byGeneral.set(general(group.key), [...(byGeneral.get(general(group.key)) ?? []), group])
  return [...byGeneral].flatMap(([key, own]) => {
    const [first] = own
    if (first === undefined || own.length <= MAX_PARTICULAR) return own
    const others = own
      .flatMap((group) => [group.smallest, ...group.others])
      .filter((one) => one !== first.smallest)
    const also = own.slice(1).map(({ smallest }) => smallest)
    return [{ key, smallest: first.smallest, others, also, behind: own.flatMap(({ behind }) => behind) }]
  })
}

/** Of headers that differ in some answers beside those that differ in all: what is left of them, if anything. */
function absorb(groups: readonly Group[]): readonly Group[] {
  const headers = groups.filter(({ smallest: { part } }) => part.about === 'headers')
  return groups.flatMap((group) => {
    const { part } = group.smallest
    if (part.about !== 'headers') return group
    const smaller = headers.filter(
      ({ smallest }) =>
        smallest.part.differences.length < part.differences.length &&
        smallest.part.differences.every((one) => part.differences.some((own) => isEqual(own, one))),
    )
    const differences = part.differences.filter(
      (one) => !smaller.some(({ smallest }) => smallest.part.differences.some((own) => isEqual(own, one))),
    )
    if (differences.length === 0) return []
    return { ...group, smallest: { ...group.smallest, part: { ...part, differences } } }
  })
}

function isEqual(a: Part['differences'][number], b: Part['differences'][number]): boolean {
  return a.at === b.at && a.new === b.new
}

/** The same for the same cause in another run. */
export function fingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}

/** A probe as `--replay` takes it: it names accounts and their passwords by references, and holds none. */
export function replayOf({ testCase: { steps, account, forall }, values }: Probe): string {
  return Buffer.from(JSON.stringify({ steps, account, forall, values })).toString('base64url')
}
