import type { Result, RuleResult } from '../../spec/types.js'
import { anchor } from '../anchor.js'
import { type Html, html } from './markup.js'
import { LOOKS, type State } from './state.js'

export function resultLink({ id }: Pick<Result, 'id'>): Html {
  return html`<a href="#${anchor('result', id)}">${id}</a>`
}

export function ruleLink({ id }: Pick<RuleResult, 'id'>): Html {
  return html`<a href="#${anchor('rule', id)}">${id}</a>`
}

/** Links in a sentence, each behind the mark of its outcome. */
export function markedLinks(links: readonly (readonly [State, Html])[]): readonly Html[] {
  return links.map(([state, link], index) => html`${index === 0 ? '' : ', '}${LOOKS[state].mark} ${link}`)
}
