import { didYouMean } from '../../spec/load/nearest.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Selection } from '../../spec/model/report.js'
import { type Effort, matchesGlob, type Shard, showShard } from '../../spec/model/selection.js'

/** What a command plans: one case for one deployment, by the names that a pattern may match. */
export interface Selectable {
  /** `<deployment>/<case>`. */
  readonly id: string
  readonly case: string
  readonly rules: readonly string[]
}

type Patterns = Pick<Selection, 'only' | 'skip'>

/** The selection of a run, as its report shows it. */
export function selectionOf({
  chosenBy,
  only = [],
  skip = [],
  deployments = [],
  shard,
  effort,
}: Omit<Selection, 'shard' | 'effort'> & {
  readonly shard?: Shard | undefined
  readonly effort?: Effort | undefined
}): Selection {
  return {
    ...(chosenBy === undefined || only.length === 0 ? {} : { chosenBy }),
    ...(only.length === 0 ? {} : { only }),
    ...(skip.length === 0 ? {} : { skip }),
    ...(deployments.length === 0 ? {} : { deployments }),
    ...(shard === undefined ? {} : { shard: showShard(shard) }),
    ...(effort === 'quick' ? { effort } : {}),
  }
}

/**
 * A pattern that matches nothing would make a run green by accident.
 * @param hint what helps where no name is near
 * @param problem what is said of the pattern
 * @throws AssayError `nothing-matches`
 */
export function refuseUnmatched(
  items: readonly Selectable[],
  { only = [], skip = [] }: Patterns,
  hint: string,
  problem = 'no case, rule or result matches',
): void {
  for (const pattern of [...only, ...skip]) {
    if (items.some((item) => isNamed(item, [pattern]))) continue
    const names = new Set([...items.map((item) => item.case), ...items.flatMap(({ rules }) => rules)])
    throw new AssayError(
      'nothing-matches',
      `${problem} \`${pattern}\`: ${didYouMean(pattern, [...names], hint)}`,
    )
  }
}

/** The items that a selection leaves something to judge of, each with those rules alone. */
export function selectRules<Item extends Selectable>(
  items: readonly Item[],
  selection: Patterns,
): readonly Item[] {
  return items.flatMap((item) => {
    const rules = item.rules.filter(judgedRules(selection, item))
    return rules.length === 0 ? [] : [{ ...item, rules }]
  })
}

/**
 * Which rules of an item a selection leaves to be judged. A pattern for the item concerns all of its rules, one for a rule
 * that rule alone. What is skipped is not judged, whatever `only` says.
 */
export function judgedRules(
  { only = [], skip = [] }: Patterns,
  item: Pick<Selectable, 'id' | 'case'>,
): (rule: string) => boolean {
  const own = { ...item, rules: [] }
  if (isNamed(own, skip)) return () => false
  const isChosen = only.length === 0 || isNamed(own, only)
  return (rule) => (isChosen || matchesAny(only, rule)) && !matchesAny(skip, rule)
}

/** A shard's share of what is divided among all shards; everything where there are none. */
export function shareOf<Item>(items: Iterable<Item>, shard: Shard | undefined): ReadonlySet<Item> {
  const all = [...new Set(items)]
  return new Set(shard === undefined ? all : all.filter((_, at) => at % shard.count === shard.index - 1))
}

function isNamed(item: Selectable, patterns: readonly string[]): boolean {
  return [item.id, item.case, ...item.rules].some((name) => matchesAny(patterns, name))
}

function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matchesGlob(pattern, text))
}
