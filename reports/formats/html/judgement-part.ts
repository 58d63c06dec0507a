import type { Judgement } from '../../../spec/model/report.js'
import { difference, isWorthMarking } from '../shared/diff.js'
import { type Html, html, prose, textLines } from './markup.js'

/** What is wrong, and expected against actual with the difference marked. */
export function judgementPart({ message, reason, expected, actual, pointer, others = [] }: Judgement): Html {
  const why = message ?? reason
  const facts = [
    ...sides(expected, actual),
    ...(pointer === undefined ? [] : [html`<div><dt>at</dt><dd><code>${pointer}</code></dd></div>`]),
    ...others.map(
      (other) =>
        html`<div><dt>elsewhere</dt><dd>${prose(other.message)}: <code>${other.actual}</code></dd></div>`,
    ),
  ]
  return html`${why === undefined ? undefined : html`<p class="because">${prose(why)}</p>`}
${facts.length === 0 ? undefined : html`<dl class="sides">${facts}</dl>`}`
}

function sides(expected: string | undefined, actual: string | undefined): readonly Html[] {
  if (expected === undefined || actual === undefined)
    return [
      ...(expected === undefined ? [] : [side('expected', textLines(expected))]),
      ...(actual === undefined ? [] : [side('actual', textLines(actual))]),
    ]
  const parts = difference(expected, actual)
  const { prefix, suffix } = parts
  const whole = (middle: readonly string[]): Html =>
    isWorthMarking(parts)
      ? html`${prefix.join('')}<mark>${middle.join('')}</mark>${suffix.join('')}`
      : html`${[...prefix, ...middle, ...suffix].join('')}`
  return [side('expected', whole(parts.expected)), side('actual', whole(parts.actual))]
}

function side(name: 'expected' | 'actual', text: Html): Html {
  const shown = text.markup === '' ? '(empty)' : text
  return html`<div class="${name}"><dt>${name}</dt><dd><code>${shown}</code></dd></div>`
}
