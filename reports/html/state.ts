import type { Outcome, Report, Result, RuleResult } from '../../spec/types.js'
import { findings } from '../findings.js'
import { type Html, html } from './markup.js'

/** An outcome as a reader sees it: a failure that does not gate is another thing than one that does. */
export type State = Outcome | 'warning' | 'waived' | 'unjudged'

interface Look {
  /** Stands beside every colour, for who does not see it. */
  readonly mark: string
  readonly words: string
}

/** The worst first. */
export const LOOKS: Readonly<Record<State, Look>> = {
  failed: { mark: '✗', words: 'failed' },
  warning: { mark: '!', words: 'warning' },
  cantTell: { mark: '?', words: 'cannot tell' },
  waived: { mark: '≈', words: 'waived' },
  passed: { mark: '✓', words: 'passed' },
  untested: { mark: '○', words: 'not run' },
  inapplicable: { mark: '–', words: 'not applicable' },
  unjudged: { mark: '·', words: 'not judged' },
}

export const STATES: readonly State[] = [
  'failed',
  'warning',
  'cantTell',
  'waived',
  'passed',
  'untested',
  'inapplicable',
  'unjudged',
]

/** The state of every rule. */
export function ruleStates(report: Report): (rule: RuleResult) => State {
  const { broken, warnings } = findings(report)
  const red = new Set(broken.map(({ rule }) => rule.id))
  const yellow = new Set(warnings.map(({ rule }) => rule.id))
  return ({ id, outcome }) => {
    if (red.has(id)) return 'failed'
    if (yellow.has(id)) return 'warning'
    // What failed and is neither has been waived.
    return outcome === 'failed' ? 'waived' : (outcome ?? 'unjudged')
  }
}

export function resultState({ outcome, waived }: Result): State {
  return waived ? 'waived' : outcome
}

/** The mark in its colour, with its name for who cannot see either. */
export function badge(state: State): Html {
  const { mark, words } = LOOKS[state]
  return html`<span class="badge ${state}"><span aria-hidden="true">${mark}</span> ${words}</span>`
}
