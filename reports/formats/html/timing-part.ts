import type { Result } from '../../../spec/model/report.js'
import { count, duration } from '../shared/phrase.js'
import { resultLink } from './marks.js'
import { type Html, html } from './markup.js'

const MAX_BARS = 10
/** Upper bounds in milliseconds, each about three times the one before. */
const BOUNDS: readonly number[] = [3, 10, 30, 100, 300, 1000, 3000, 10_000]
const HEIGHT = 60
const STEP = 40

/** Where the time went: how many results took how long, and the slowest. */
export function timingPart(results: readonly Result[]): Html | undefined {
  const timed = results.filter(({ durationMs }) => durationMs > 0)
  if (timed.length === 0) return undefined
  const slowest = timed.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, MAX_BARS)
  const longest = slowest[0]?.durationMs ?? 1
  return html`<section aria-labelledby="timings">
<details class="folded"><summary><h2 id="timings">Where the time went</h2> <span class="note">the slowest took ${duration(longest)}</span></summary>
${histogram(timed)}
<table class="slow"><caption>The slowest</caption>
<thead><tr><th scope="col">Result</th><th scope="col">Took</th><td></td></tr></thead>
<tbody>${slowest.map((result) => slowRow(result, result.durationMs / longest))}</tbody></table></details>
</section>`
}

function slowRow(result: Result, share: number): Html {
  const bar = html`<rect width="${Math.max(0.5, share * 100).toFixed(1)}" height="6"></rect>`
  return html`<tr><th scope="row">${resultLink(result)}</th><td>${duration(result.durationMs)}</td>
<td class="bar"><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">${bar}</svg></td></tr>`
}

function histogram(timed: readonly Result[]): Html {
  const bars = [...BOUNDS, Number.POSITIVE_INFINITY].map((bound, index) => {
    const from = BOUNDS[index - 1] ?? 0
    const number = timed.filter(({ durationMs }) => durationMs >= from && durationMs < bound).length
    return { label: Number.isFinite(bound) ? `< ${duration(bound)}` : 'more', number }
  })
  const highest = Math.max(...bars.map(({ number }) => number))
  const parts = bars.filter(({ number }) => number > 0).map(({ label, number }) => `${label}: ${number}`)
  const summary = `${count(timed.length, 'result')} by the time they took. ${parts.join(', ')}`
  const columns = bars.map(({ label, number }, index) =>
    column(label, number, number / highest, index * STEP),
  )
  const box = `0 0 ${bars.length * STEP} ${HEIGHT + 30}`
  return html`<svg class="histogram" viewBox="${box}" role="img" aria-label="${summary}">${columns}</svg>`
}

function column(label: string, number: number, share: number, x: number): Html {
  const height = Math.max(number > 0 ? 1 : 0, share * HEIGHT)
  const top = HEIGHT + 14 - height
  const middle = x + STEP / 2
  const size = number > 0 ? html`<text x="${middle}" y="${(top - 4).toFixed(1)}">${number}</text>` : undefined
  return html`<rect x="${x + 3}" y="${top.toFixed(1)}" width="${STEP - 6}" height="${height.toFixed(1)}"></rect>
${size}<text x="${middle}" y="${HEIGHT + 26}">${label}</text>`
}
