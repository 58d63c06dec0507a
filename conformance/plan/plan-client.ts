import { didYouMean } from '../../spec/load/nearest.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Report } from '../../spec/model/report.js'
import { matchesGlob, parseReplay, type Shard, showShard } from '../../spec/model/selection.js'
import type { ClientReplay, Selection } from '../assess/client/options.js'
import { SEARCH } from '../assess/client/search.js'
import type { Scenario } from '../drivers/host/scenario.js'
import { SCENARIOS } from '../drivers/host/scenarios.js'

const ALL: readonly Scenario[] = [...SCENARIOS, SEARCH]

/** Reads `client:request/plus`, or `client/client:answer/any-legal-answer@SEED:PATH`. @throws AssayError where there is none */
export function parseClientReplay(text: string): ClientReplay {
  const found = parseReplay(text)
  const id = (found?.case ?? text).replace(/^client\//, '')
  if (!ALL.some((scenario) => scenario.id === id) || (found !== undefined && id !== SEARCH.id)) {
    const hint = didYouMean(id, ids(), '`--replay` takes what is shown under a failure')
    throw new AssayError('usage', `there is nothing to replay at \`${text}\`: ${hint}`)
  }
  return found === undefined ? { case: id } : { case: id, found: { seed: found.seed, path: found.path } }
}

/** The scenarios of a run. @throws AssayError for a pattern that matches nothing */
export function plannedScenarios({ only = [], skip = [], replay }: Selection): readonly Scenario[] {
  if (replay !== undefined) return ALL.filter(({ id }) => id === replay.case)
  const matches = (patterns: readonly string[]) => (scenario: Scenario) =>
    [scenario.id, ...scenario.rules].some((id) => patterns.some((pattern) => matchesGlob(pattern, id)))
  for (const pattern of [...only, ...skip])
    if (!ALL.some(matches([pattern]))) {
      const hint = didYouMean(pattern, ids(), '`*` is any text, as in `client:answer/*`')
      throw new AssayError('usage', `no case or rule of clients matches \`${pattern}\`: ${hint}`)
    }
  return ALL.filter((one) => (only.length === 0 || matches(only)(one)) && !matches(skip)(one))
}

/** The part of them that is this shard's. */
export function inShard(plan: readonly Scenario[], shard: Shard | undefined): readonly Scenario[] {
  return shard === undefined ? plan : plan.filter((_, at) => at % shard.count === shard.index - 1)
}

/** As the report says it. */
export function selectionOf({ only = [], skip = [], replay, shard }: Selection): Pick<Report, 'selection'> {
  const chosen = replay === undefined ? only : [replay.case]
  const selection = {
    ...(chosen.length === 0 ? {} : { only: chosen }),
    ...(skip.length === 0 ? {} : { skip }),
    ...(shard === undefined ? {} : { shard: showShard(shard) }),
  }
  return Object.keys(selection).length === 0 ? {} : { selection }
}

function ids(): readonly string[] {
  return ALL.flatMap(({ id, rules }) => [id, ...rules])
}
