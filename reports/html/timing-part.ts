import type { Result } from '../../spec/types.js'
import { anchor } from '../anchor.js'
import { count, duration } from '../phrase.js'
import { type Html, html } from './markup.js'

const MOST_BARS = 10
/** Upper bounds in milliseconds, each about three times the one before. */
const BOUNDS: readonly number[] = [3, 10, 30, 100, 300, 1000, 3000, 10_000]
const HEIGHT = 60
const STEP = 40

/** Where the time went: how many results took how long, and the slowest. */
export function timingPart(results: readonly Result[]): Html | undefined {
  const timed = results.filter(({ durationMs }) => durationMs > 0)
  if (timed.length === 0) return undefined
  const slowest = timed.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, MOST_BARS)
  const longest = slowest[0]?.durationMs ?? 1
  return html`<section aria-labelledby="timings">
<h2 id="timings">Where the time went</h2>
${histogram(timed)}
<table class="slow"><caption>The slowest</caption><thead><tr><th scope="col">Result</th><th scope="col">Took</th><td></td></tr></thead>
<tbody>${slowest.map(({ id, durationMs }) => html`<tr><th scope="row"><a href="#${anchor('result', id)}">${id}</a></th><td>${duration(durationMs)}</td><td class="bar"><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.max(0.5, (durationMs / longest) * 100).toFixed(1)}" height="6"></rect></svg></td></tr>`)}</tbody></table>
</section>`
}

function histogram(timed: readonly Result[]): Html {
  const bars = [...BOUNDS, Number.POSITIVE_INFINITY].map((bound, index) => {
    const from = BOUNDS[index - 1] ?? 0
    const number = timed.filter(({ durationMs }) => durationMs >= from && durationMs < bound).length
    return { label: Number.isFinite(bound) ? `< ${duration(bound)}` : 'more', number }
  })
  const most = Math.max(...bars.map(({ number }) => number))
  const said = bars.filter(({ number }) => number > 0).map(({ label, number }) => `${label}: ${number}`)
  return html`<svg class="histogram" viewBox="0 0 ${bars.length * STEP} ${HEIGHT + 30}" role="img" aria-label="${count(timed.length, 'result')} by the time they took. ${said.join(', ')}">${bars.map(
    ({ label, number }, index) => {
      const height = Math.max(number > 0 ? 1 : 0, (number / most) * HEIGHT)
      const middle = index * STEP + STEP / 2
      return html`<rect x="${index * STEP + 3}" y="${(HEIGHT + 14 - height).toFixed(1)}" width="${STEP - 6}" height="${height.toFixed(1)}"></rect>${number > 0 ? html`<text x="${middle}" y="${(HEIGHT + 10 - height).toFixed(1)}">${number}</text>` : undefined}<text x="${middle}" y="${HEIGHT + 26}">${label}</text>`
    },
  )}</svg>`
}
