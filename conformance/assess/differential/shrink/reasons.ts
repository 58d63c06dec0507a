import type { Compared } from '../../../drivers/pair/experiment.js'
import type { Probe } from '../../../drivers/pair/probe.js'
import type { Seen } from '../compare/normalise.js'
import type { Part } from '../compare/parts.js'
import { type View, viewsOf } from '../compare/view.js'

/** A probe on which the sides differ, and how. */
export interface Shown {
  readonly probe: Probe
  readonly part: Part
}

type Own = 'old' | 'new'

/** Which side lets in what the other refuses. */
export function lenientSide({ part }: Shown): Own {
  return part.differences.some(({ at, new: now }) => at === 'fate' && now === 'refused') ? 'old' : 'new'
}

export function strictSide(shown: Shown): Own {
  return lenientSide(shown) === 'old' ? 'new' : 'old'
}

export function viewOf(compared: Compared, side: Own, step: number): View | undefined {
  const views = compared.kind === 'compared' ? viewsOf(compared[side]) : []
  return 'trouble' in views ? undefined : views[step]
}

/** What one side says of a request: the sentences of its answer. */
export function sentencesOf(compared: Compared, side: Own, step: number): readonly string[] {
  const texts: string[] = []
  const walk = (seen: Seen): void => {
    // A service may say all of it in one text.
    if (seen.kind === 'leaf') texts.push(...seen.text.split(/(?<=\.) /))
    else if (seen.kind === 'array') seen.items.forEach(walk)
    else if (seen.kind === 'object') [...seen.members.values()].forEach(walk)
  }
  const view = viewOf(compared, side, step)
  if (view !== undefined) walk(view.body)
  return texts
}

export function isSubset(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one))
}
