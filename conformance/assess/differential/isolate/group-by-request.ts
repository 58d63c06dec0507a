import { groupBy } from '../../../../spec/model/items.js'
import type { Comparer } from '../compare/comparer.js'
import type { Witness } from '../compare/explore.js'
import { type CauseGroup, joined, sizeOf } from './cause-group.js'
import { traitsOf } from './request-traits.js'
import { haveSameCause } from './same-cause.js'
import { type SmallestWitness, shrink } from './shrink.js'

/** Beyond so many values, each its own smallest, the cause is not in the value. */
const MAX_PARTICULAR = 3

/** Groups witnesses of one signature by the smallest request, and joins the groups that have the same cause. */
export async function groupByRequest(
  comparer: Comparer,
  signature: string,
  all: readonly Witness[],
): Promise<readonly CauseGroup[]> {
  const shrunk: { readonly witness: Witness; readonly smallest: SmallestWitness }[] = []
  for (const witness of all) shrunk.push({ witness, smallest: await shrink(comparer, witness) })
  const byCause = groupBy(shrunk, ({ smallest }) => `${signature} | ${causeKey(smallest)}`)
  const groups = [...byCause].flatMap(([key, own]): readonly CauseGroup[] => {
    const [smallest, ...others] = own.map((one) => one.smallest)
    const behind = own.map(({ witness }) => witness)
    return smallest === undefined ? [] : [{ key, smallest, others, also: [], behind }]
  })
  let merged: readonly CauseGroup[] = []
  for (const group of groups.toSorted(byPlainness)) {
    const same: CauseGroup[] = []
    for (const known of merged) if (await hasCauseOf(comparer, known, group)) same.push(known)
    const whole = [...same, group].reduce(joined)
    merged = [...merged.filter((known) => !same.includes(known)), whole].toSorted(byPlainness)
  }
  return mergeParticular(merged)
}

/** The plainest group comes first and names the finding. A made-up text says less than how a text was changed. */
function byPlainness(a: CauseGroup, b: CauseGroup): number {
  const rank = ({ key, smallest }: CauseGroup): number => sizeOf(smallest) + (key.includes('"') ? 20 : 0)
  return rank(a) - rank(b) || (a.key < b.key ? -1 : 1)
}

async function hasCauseOf(comparer: Comparer, known: CauseGroup, group: CauseGroup): Promise<boolean> {
  for (const one of [known.smallest, ...known.also])
    if (await haveSameCause(comparer, one, group.smallest)) return true
  return false
}

/** In what the smallest request differs from a plain one. The ids of findings are made of it: its words never change. */
function causeKey({ probe, discrepancy }: Witness): string {
  const { steps } = probe.testCase
  return steps
    .slice(0, discrepancy.step + 1)
    .map(({ register }, at) => {
      const keys = traitsOf(steps, at).map(({ key }) => key)
      return keys.join(', ') || (register === undefined ? 'the plain login' : 'a plain registration')
    })
    .join(' → ')
}

/** Joins many values of one parameter that have nothing in common but the parameter. */
function mergeParticular(groups: readonly CauseGroup[]): readonly CauseGroup[] {
  return [...groupBy(groups, ({ key }) => withoutValues(key))].flatMap(([key, own]) => {
    const [first, ...rest] = own
    if (first === undefined || own.length <= MAX_PARTICULAR) return own
    const others = [...first.others, ...rest.flatMap(({ smallest, others }) => [smallest, ...others])]
    const also = rest.map(({ smallest }) => smallest)
    return [{ key, smallest: first.smallest, others, also, behind: own.flatMap(({ behind }) => behind) }]
  })
}

function withoutValues(key: string): string {
  return key
    .replace(/"(?:[^"\\]|\\.)*"(?:… \(\d+ characters\))?/g, '"…"')
    .replace(/`Content-Type: (?!application\/x-www-form-urlencoded)[^`]*`/i, '`Content-Type: …`')
}
