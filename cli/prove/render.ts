import pc from 'picocolors'
import { escapeForTerminal } from '../../reports/escape.js'
import { count, duration } from '../../reports/phrase.js'
import type { KillMatrix, ProvenMutant, ProvenVariant } from './kill-matrix.js'

export interface RenderOptions {
  readonly color: boolean
  /** Problems and the verdict alone. */
  readonly quiet: boolean
  readonly durationMs: number
}

/** The kill matrix for a terminal: problems first, then a line for each mutant, variant and rule, then the verdict. */
export function renderMatrix(matrix: KillMatrix, { color, quiet, durationMs }: RenderOptions): string {
  const colors = pc.createColors(color)
  const subjects = [
    ...matrix.mutants.map((mutant) => ({ what: 'mutant', ...mutant })),
    ...matrix.variants.map((variant) => ({ what: 'variant', ...variant })),
    ...matrix.rules.map((rule) => ({ what: 'rule', sentence: rule.statement, ...rule })),
  ]
  const problems = subjects.flatMap(({ what, id, sentence, problems }) =>
    problems.length === 0
      ? []
      : [
          `${colors.red('✗')} ${what} ${colors.bold(id)}: ${escapeForTerminal(sentence)}`,
          ...problems.map((problem) => `    ${escapeForTerminal(problem)}`),
        ],
  )
  const width = Math.max(0, ...subjects.map(({ id }) => id.length)) + 2
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

function section(title: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [[title, ...rows].join('\n')]
}

function outcomeOfMutant({ expect, violates, trials }: ProvenMutant): string {
  if (expect === 'cantTell')
    return told(
      'inconclusive',
      trials.map(({ verdict }) => verdict === 'inconclusive'),
    )
  const always = violates.filter((rule) => trials.every(({ red }) => red.includes(rule)))
  const others = new Set(trials.flatMap(({ red }) => red.filter((rule) => !always.includes(rule))))
  const more = others.size === 0 ? '' : ` (+ ${[...others].join(', ')})`
  if (always.length > 0) return `killed by ${always.join(', ')}${more}`
  return others.size === 0 ? 'SURVIVES' : `not killed${more}`
}

function outcomeOfVariant({ trials }: ProvenVariant): string {
  return told(
    'conformant',
    trials.map(({ verdict }) => verdict === 'conformant'),
  )
}

function told(verdict: string, held: readonly boolean[]): string {
  const times = held.filter(Boolean).length
  return times === held.length
    ? verdict
    : `NOT ${verdict}${held.length === 1 ? '' : `: ${times} of ${held.length}`}`
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
