import pc from 'picocolors'
import type { EffortShare } from '../../prove/matrix/effort-share.js'
import type { KillMatrix, ProvenMutant, ProvenVariant, Trial } from '../../prove/matrix/kill-matrix.js'
import { escapeForTerminal } from '../../reports/formats/shared/escape.js'
import { count, duration } from '../../reports/formats/shared/phrase.js'
import type { Verdict } from '../../spec/model/report.js'
import type { Effort } from '../../spec/model/selection.js'

export interface RenderOptions {
  readonly color: boolean
  /** Problems and the verdict alone. */
  readonly quiet: boolean
  readonly durationMs: number
}

/** The kill matrix for a terminal: problems first, then a line for each mutant, variant and rule, then the verdict. */
export function renderMatrix(matrix: KillMatrix, { color, quiet, durationMs }: RenderOptions): string {
  const colors = pc.createColors(color)
  const rows = [
    ...matrix.mutants.map((mutant) => ({ what: 'mutant', ...mutant })),
    ...matrix.variants.map((variant) => ({ what: 'variant', ...variant })),
    ...matrix.rules.map((rule) => ({ what: 'rule', description: rule.statement, ...rule })),
  ]
  const problems = rows.flatMap(({ what, id, description, problems }) =>
    problems.length === 0
      ? []
      : [
          `${colors.red('✗')} ${what} ${colors.bold(id)}: ${escapeForTerminal(description)}`,
          ...problems.map((problem) => `    ${escapeForTerminal(problem)}`),
        ],
  )
  const width = Math.max(0, ...rows.map(({ id }) => id.length)) + 2
  const row = (id: string, text: string): string => `  ${id.padEnd(width)}${text}`
  const tables = [
    section(
      'Mutants',
      matrix.mutants.map((mutant) => row(mutant.id, outcomeOfMutant(mutant))),
    ),
    section(
      'Variants',
      matrix.variants.map((variant) => row(variant.id, outcomeOfVariant(variant))),
    ),
    section(
      'Rules',
      matrix.rules.map(({ id, killed }) => row(id, count(killed.length, 'mutant'))),
    ),
  ]
  const verdict = verdictLine(matrix, durationMs)
  const shown = [
    ...(problems.length === 0 ? [] : [problems.join('\n')]),
    ...(quiet ? [] : tables.flat()),
    matrix.problems === 0 ? colors.green(verdict) : colors.red(verdict),
  ]
  return `${shown.join('\n\n')}\n`
}

/** How many mutants a run with that effort catches, and which not. */
export function renderShare(
  { caught, all, missed, accusations }: EffortShare,
  effort: Effort,
  durationMs: number,
): string {
  const share = ((100 * caught) / Math.max(all, 1)).toFixed(1)
  const lines = [
    ...missed.map((id) => `  not caught: ${id}`),
    ...accusations.map((one) => `✗ goes red where it holds: ${one}`),
    `--effort ${effort} catches ${caught} of ${count(all, 'mutant')} (${share} %), ${duration(durationMs)}`,
  ]
  return `${lines.join('\n')}\n`
}

function section(title: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [[title, ...rows].join('\n')]
}

function outcomeOfMutant({ expect, violates, trials }: ProvenMutant): string {
  if (expect === 'cantTell') return verdictOfTrials('inconclusive', trials)
  const always = violates.filter((rule) => trials.every(({ red }) => red.includes(rule)))
  const others = new Set(trials.flatMap(({ red }) => red.filter((rule) => !always.includes(rule))))
  const more = others.size === 0 ? '' : ` (+ ${[...others].join(', ')})`
  if (always.length > 0) return `killed by ${always.join(', ')}${more}`
  return others.size === 0 ? 'SURVIVES' : `not killed${more}`
}

function outcomeOfVariant({ trials }: ProvenVariant): string {
  return verdictOfTrials('conformant', trials)
}

/** The expected verdict, or how often it came. */
function verdictOfTrials(expected: Verdict, trials: readonly Trial[]): string {
  const times = trials.filter(({ verdict }) => verdict === expected).length
  if (times === trials.length) return expected
  return `NOT ${expected}${trials.length === 1 ? '' : `: ${times} of ${trials.length}`}`
}

function verdictLine({ mutants, variants, rules, seeds, problems }: KillMatrix, durationMs: number): string {
  const what = [
    count(mutants.length, 'mutant'),
    count(variants.length, 'variant'),
    ...(mutants.length === 0
      ? []
      : [`${count(rules.filter(({ killed }) => killed.length > 0).length, 'rule')} seen red`]),
    seeds.length === 1 ? `seed ${seeds[0]}` : count(seeds.length, 'seed'),
    duration(durationMs),
  ].join(', ')
  return problems === 0 ? `✓ PROVEN: ${what}` : `✗ NOT PROVEN: ${count(problems, 'problem')}; ${what}`
}
