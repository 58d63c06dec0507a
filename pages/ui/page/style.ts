import { STYLE } from '../../../reports/formats/html/style.js'

/** What the page adds to the report's looks: forms, and the run as it goes. */
export const PAGE_STYLE = `${STYLE}
.bar-top { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.5rem; max-width: 76rem; margin: 0 auto; padding: 1rem 1.25rem .25rem; }
.bar-top .name { font-weight: 700; letter-spacing: .01em; }
.bar-top nav ul { display: flex; gap: .25rem; }
.bar-top nav a { display: block; padding: .3rem .7rem; border-radius: .35rem; color: var(--ink); text-decoration: none; }
.bar-top nav a:hover { background: var(--wire); text-decoration: underline; }
.bar-top nav a[aria-current] { background: var(--card); box-shadow: inset 0 0 0 1px var(--line); font-weight: 600; }
#connection { flex: 1 1 100%; margin: 0; padding: .45rem .75rem; border-radius: .35rem; color: var(--warning); background: var(--warning-bg); font-size: .9rem; }
main > h1 { color: var(--ink); font-size: clamp(1.5rem, 4vw, 2rem); margin: 1.25rem 0 .25rem; }
.lead { color: var(--soft); max-width: 44rem; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1.1rem 1.25rem 1.25rem; margin-top: 1.25rem; }
.panel > h2:first-child, .panel form > h2:first-child { margin: 0 0 .6rem; font-size: 1.1rem; }
.panel > summary { margin: -1.1rem -1.25rem -1.25rem; padding: .8rem 1.25rem; font-weight: 600; border-radius: .5rem; }
.panel[open] > summary { margin-bottom: 1rem; border-radius: .5rem .5rem 0 0; }
.panel > summary .time { font-weight: 400; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: .8rem 1.25rem; }
.fields .wide { grid-column: 1 / -1; }
.field { display: grid; gap: .2rem; align-content: start; }
.field > label, .field > .label { font-size: .9rem; font-weight: 600; }
.hint { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
.panel input:not([type=radio]):not([type=checkbox]), .panel select, textarea { font: inherit; width: 100%; min-height: 2.4rem; padding: .35rem .6rem; border: 1px solid var(--soft); border-radius: .35rem; background: var(--paper); color: inherit; }
textarea { font-family: ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .8125rem; line-height: 1.45; resize: vertical; tab-size: 2; }
input:user-invalid { border-color: var(--failed); }
.panel input[type=radio], .panel input[type=checkbox] { accent-color: var(--link); width: 1.05rem; height: 1.05rem; vertical-align: -.15rem; margin: 0 .3rem 0 0; }
.choice { display: inline-flex; align-items: center; min-height: 2rem; margin-right: 1.25rem; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; margin-top: 1rem; }
.do { font: inherit; min-height: 2.4rem; padding: .35rem 1rem; border: 1px solid var(--soft); border-radius: .4rem; background: var(--card); color: var(--link); cursor: pointer; }
.do:hover { background: var(--wire); }
.do.main { border-color: var(--link); background: var(--link); color: var(--paper); font-weight: 600; }
.do.main:hover { text-decoration: underline; }
.do.small { min-height: 1.8rem; padding: .1rem .7rem; font-size: .875rem; }
[aria-busy=true] .do { opacity: .7; cursor: progress; }
.hint + .fields, .hint + form { margin-top: .8rem; }
.panel .way { margin-top: 1rem; }
.message { margin-top: .6rem; color: var(--failed); font-weight: 600; overflow-wrap: anywhere; white-space: pre-wrap; }
.message:empty { display: none; }
#text-message:not(:empty) { margin-bottom: .6rem; }
.message.good { color: var(--passed); }
.found li { padding: .15rem 0 .15rem 1.2rem; position: relative; overflow-wrap: anywhere; }
.found li::before { content: '·'; position: absolute; left: .35rem; color: var(--soft); }
.found .warn { color: var(--warning); }
.found + form .asks { margin-top: 1rem; }
.asks { display: grid; gap: 1rem; }
.panel .asks input[type=number]:not([type=radio]):not([type=checkbox]) { max-width: 12rem; }
.asks fieldset { display: block; }
.asks legend { padding: 0; font-weight: 600; }

.now:has(h1, progress) { border-left: .6rem solid var(--link); }
.now:not(:has(h1, h2)) { padding-top: .15rem; padding-bottom: .9rem; }
.now h1, .now h2 { margin: 0; font-size: 1.5rem; color: var(--ink); }
.now .run { margin-top: .75rem; gap: .4rem 2.5rem; }
.now .run dd { font-size: 1.05rem; font-variant-numeric: tabular-nums; }
.strip { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 2rem; }
.panel .strip input.watch:not([type=radio]):not([type=checkbox]) { width: 12rem; }
.strip label { font-size: .9rem; color: var(--soft); }
.wait { margin-top: .75rem; color: var(--warning); }
progress { display: block; width: 100%; height: .6rem; margin-top: .9rem; border: 0; border-radius: .3rem; background: var(--wire); accent-color: var(--link); }
progress::-webkit-progress-bar { background: var(--wire); border-radius: .3rem; }
progress::-webkit-progress-value { background: var(--link); border-radius: .3rem; }
progress::-moz-progress-bar { background: var(--link); }
.back { margin-top: 1rem; }
main > header.verdict, #verdict > header.verdict { max-width: none; margin: 1.25rem 0 .6rem; }
.beside { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.15fr); gap: 0 1.75rem; align-items: start; }
.beside .map > div { grid-template-columns: minmax(0, 1fr); }
.beside .wire { grid-template-columns: minmax(0, 1fr); }
.fail { margin-top: .75rem; }
.fail:empty { display: none; }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .25rem; margin: .4rem 0 1.1rem; }
.tools .actions { margin: 0; }
[id^='sent/'] > * + * { margin-top: .6rem; }
.edit[open] { flex: 1 1 100%; }
.edit > summary { color: var(--link); font-size: .875rem; }
.edit[open] { margin-top: .4rem; padding: 0 .75rem .75rem; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; }
.edit[open] > summary { margin: 0 -.75rem .6rem; }

.runs { width: 100%; }
.runs td, .runs th { padding: .5rem 1.1rem .5rem 0; }
.runs thead th, .runs .num { white-space: nowrap; }
.runs tbody th { font-weight: 600; white-space: nowrap; }
.runs .num { font-variant-numeric: tabular-nums; }
.runs .file { color: var(--soft); font-size: .8125rem; }
.runs .choice { min-height: 1.5rem; margin-right: .7rem; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline-offset: -2px; }
.lines td, .lines thead th { padding: .15rem .1rem; text-align: center; border: 0; font-variant-numeric: tabular-nums; }
.lines tbody th, .lines thead th:first-child { padding: .15rem 1.5rem .15rem 0; border: 0; white-space: nowrap; text-align: left; }
.lines tbody th { font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .8125rem; }
.green { margin-top: .6rem; }
.lines .cell { min-width: 1.5rem; padding: .05rem .3rem; text-align: center; }
.tag { margin-left: .4rem; padding: 0 .4rem; border-radius: 1rem; font: .75rem system-ui, sans-serif; color: var(--failed); background: var(--failed-bg); }
.tag.fixed { color: var(--passed); background: var(--passed-bg); }
@media (max-width: 60rem) { .beside { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 44rem) {
  .bar-top { padding: .75rem .75rem 0; }
  .panel { padding: .9rem; }
  .panel > summary { margin: -.9rem; padding: .75rem .9rem; }
  .do { flex: 1 1 auto; }
  .runs thead { display: none; }
  .runs tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .runs td, .runs th { display: inline-block; border: 0; padding: .1rem .8rem .1rem 0; }
}
`
