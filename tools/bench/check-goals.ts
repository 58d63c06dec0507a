import type { Goal } from './goals.js'

/** How a ratio compares with its goal; `worse` than the held value makes the bench fail. */
export interface GoalCheck {
  readonly id: string
  readonly goal: Goal
  readonly found: number
  readonly verdict: 'met' | 'missed' | 'worse'
}

/** Goals without a measured figure are left out. A figure that is not a number is `worse`. */
export function checkGoals(
  figures: Readonly<Record<string, number>>,
  goals: Readonly<Record<string, Goal>>,
): readonly GoalCheck[] {
  return Object.entries(goals).flatMap(([id, goal]) => {
    const found = figures[id]
    if (found === undefined) return []
    const within = (bound: number): boolean => (goal.is === 'at most' ? found <= bound : found >= bound)
    const verdict = within(goal.goal) ? 'met' : within(goal.held ?? goal.goal) ? 'missed' : 'worse'
    return [{ id, goal, found, verdict }]
  })
}

/** Goals beside what was found, as a Markdown table. */
export function renderGoals(checks: readonly GoalCheck[]): string {
  const lines = checks.map(({ goal: { says, is, goal, held }, found, verdict }) => [
    says,
    found.toFixed(2),
    `${is} ${goal}`,
    held === undefined ? '' : String(held),
    verdict,
  ])
  const head = ['ratio', 'found', 'goal', 'held to', '']
  return ['### Goals', '', row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n')
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
