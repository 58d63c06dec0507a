import type { Variant } from './variant.js'

/** Variants that one server shows. */
export type Group = readonly [Variant, ...Variant[]]

/** It meets less than others: each answer costs much, or it takes few requests a second. */
export function isSlow({ cases, declares = {} }: Variant): boolean {
  return cases !== undefined || declares.maxRequestsPerSecond !== undefined
}

/**
 * What differs in one way and conforms does so when it differs in another way as well, so one server shows several variants.
 * Each is in one group, the same for every seed; those of a group differ in different members.
 */
export function groupsOf(variants: readonly Variant[]): readonly Group[] {
  const counted = variants.map((variant) => ({
    variant,
    others: variants.filter((other) => !goTogether(variant, other)).length,
  }))
  const groups: [Variant, ...Variant[]][] = []
  // Those that go with the fewest open the groups, and the others fill them evenly.
  for (const { variant } of counted.toSorted((a, b) => b.others - a.others)) {
    const [smallest] = groups
      .filter((group) => group.every((other) => goTogether(variant, other)))
      .toSorted((a, b) => a.length - b.length)
    if (smallest === undefined) groups.push([variant])
    else smallest.push(variant)
  }
  return groups
}

/** One server that differs in all of these ways. */
export function combined([first, ...others]: Group): Variant {
  const all = [first, ...others]
  return {
    ...first,
    options: Object.assign({}, ...all.map(({ options }) => options)),
    declares: Object.assign({}, ...all.map(({ declares }) => declares)),
    behaviour: () => Object.assign({}, ...all.map(({ behaviour }) => behaviour())),
  }
}

function goTogether(a: Variant, b: Variant): boolean {
  if (a.needs !== b.needs || isSlow(a) || isSlow(b)) return false
  const members = membersOf(b)
  return membersOf(a).every((member) => !members.includes(member))
}

function membersOf({ options = {}, behaviour, declares = {} }: Variant): readonly string[] {
  const members = [options, behaviour(), declares].flatMap(Object.keys)
  // What renders a rejection knows the body that is specified.
  return members.includes('renderRegistration') ? [...members, 'rejectedBody'] : members
}
