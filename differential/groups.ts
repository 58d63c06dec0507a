import { createHash } from 'node:crypto'
import type { Step } from '../spec/model/case.js'
import { traitsOf } from './describe-request.js'
import type { Experiment } from './experiment.js'
import type { Part } from './parts.js'
import type { Probe } from './probe.js'
import { type Shown, type Smallest, shrink } from './shrink.js'

/** Differences with one cause: the smallest request that shows it, and all that showed it first. */
export interface Group {
  readonly key: string
  readonly smallest: Smallest
  /** Other smallest requests, where the first turns out to be noise. */
  readonly others: readonly Smallest[]
  readonly behind: readonly Shown[]
}

/** Of differences that are the same whatever the request, so many are made as small as they can be. */
const REPRESENTATIVES = 3
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
  const groups: Group[] = []
  for (const [signature, all] of bySignature) {
    if (all[0]?.part.about === 'fate') groups.push(...(await byRequest(experiment, signature, all)))
    else {
      const smallest: Smallest[] = []
      // The one that asks least is the likeliest to be small already.
      const sorted = all.toSorted((a, b) => sizeOf(a) - sizeOf(b))
      for (const one of sorted.slice(0, REPRESENTATIVES)) smallest.push(await shrink(experiment, one))
      const [first, ...others] = smallest.toSorted((a, b) => sizeOf(a) - sizeOf(b))
      if (first !== undefined) groups.push({ key: signature, smallest: first, others, behind: all })
    }
  }
  return absorb(groups)
}

function sizeOf({ probe, part }: Shown): number {
  const { steps } = probe.testCase
  return steps.length * 1000 + traitsOf(steps[part.step]).length * 100 + (probe.mayFail ? 50 : 0)
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
  const groups = [...byTraits].map(([key, group]): Group => ({ key, ...group }))
  return mergeParticular(groups)
}

/** What the smallest request differs in. */
function causeOf({ probe, part }: Shown): string {
  const { steps } = probe.testCase
  const before = steps.slice(0, part.step).map((step) => traitsOf(step).join(', ') || kindOf(step))
  return [...before, traitsOf(steps[part.step]).join(', ') || kindOf(steps[part.step])].join(' → ')
}

function kindOf(step: Step | undefined): string {
  return step?.register === undefined ? 'the plain login' : 'a plain registration'
}

/** Many values of one parameter that have nothing in common but the parameter. */
function mergeParticular(groups: readonly Group[]): readonly Group[] {
  const general = (key: string): string => key.replace(/"(?:[^"\\]|\\.)*"(?:… \(\d+ characters\))?/g, '"…"')
  const byGeneral = new Map<string, Group[]>()
  for (const group of groups)
    byGeneral.set(general(group.key), [...(byGeneral.get(general(group.key)) ?? []), group])
  return [...byGeneral].flatMap(([key, own]) => {
    const [first] = own
    if (first === undefined || own.length <= MAX_PARTICULAR) return own
    const others = own
      .flatMap((group) => [group.smallest, ...group.others])
      .filter((one) => one !== first.smallest)
    return [{ key, smallest: first.smallest, others, behind: own.flatMap(({ behind }) => behind) }]
  })
}

/** Headers that differ beside others are a finding of their own only with what does not come alone. */
function absorb(groups: readonly Group[]): readonly Group[] {
  const headers = groups.filter(({ smallest: { part } }) => part.about === 'headers')
  const isWithin = (part: Part, whole: Part): boolean =>
    part !== whole && part.differences.every((one) => whole.differences.some((other) => isEqual(one, other)))
  // A set of headers that is another one and more has the cause of that one, where nothing else is left of it.
  return groups.filter(({ smallest: { part } }) => {
    if (part.about !== 'headers') return true
    const parts = headers.map((group) => group.smallest.part).filter((other) => isWithin(other, part))
    return !part.differences.every((one) =>
      parts.some((other) => other.differences.some((own) => isEqual(own, one))),
    )
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
