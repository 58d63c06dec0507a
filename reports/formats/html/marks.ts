import type { Result, RuleResult } from '../../../spec/model/report.js'
import { anchor } from '../shared/escape.js'
import { LOOKS, type State } from '../shared/outcomes.js'
import { nameOf } from '../shared/phrase.js'
import { type Html, html } from './markup.js'

/** The mark in its colour, with its name for readers who see neither. */
export function badge(state: State): Html {
  const { mark, words } = LOOKS[state]
  return html`<span class="badge ${state}"><span aria-hidden="true">${mark}</span> ${words}</span>`
}

export function resultLink(result: Pick<Result, 'id' | 'case' | 'deployment'>): Html {
  return html`<a href="#${anchor('result', result.id)}">${nameOf(result)}</a>`
}

export function ruleLink({ id }: Pick<RuleResult, 'id'>): Html {
  return html`<a href="#${anchor('rule', id)}">${id}</a>`
}

/** Links in a sentence, each behind the mark of its outcome. */
export function markedLinks(links: readonly (readonly [State, Html])[]): readonly Html[] {
  return links.map(([state, link], index) => html`${index === 0 ? '' : ', '}${LOOKS[state].mark} ${link}`)
}
