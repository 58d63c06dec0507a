/** The page's one style sheet: light and dark, wide and narrow, screen and paper. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d1c1a; --soft: #5c5954; --line: #dedad3; --wire: #f4f2ee; --link: #1c4f9c;
  --failed: #a61b1b; --failed-bg: #fbe4e1; --warning: #7a4b00; --warning-bg: #fcefd0;
  --cantTell: #6b3fa0; --cantTell-bg: #efe6fa; --waived: #4f5b1c; --waived-bg: #eef1d6;
  --passed: #17663a; --passed-bg: #dff2e5; --untested: #5c5954; --untested-bg: #edeae5;
  --mark: #ffd866; --mark-ink: #1d1c1a;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #161719; --card: #1e2023; --ink: #e9e7e3; --soft: #aba79f; --line: #383b40; --wire: #131416; --link: #9cc2ff;
    --failed: #ff9d94; --failed-bg: #4a1d1b; --warning: #f5c261; --warning-bg: #43320f;
    --cantTell: #cfb0ff; --cantTell-bg: #36264f; --waived: #cdd78b; --waived-bg: #333a14;
    --passed: #83d9a2; --passed-bg: #173b26; --untested: #aba79f; --untested-bg: #2d3034;
    --mark: #e5b93c; --mark-ink: #161719;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header.verdict, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
h1, h2, h3, p, ul, dl, dd, pre { margin: 0; }
ul { padding: 0; list-style: none; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre, .item summary b, .line b, .cell, .slow tbody th, .run dd { font-family: ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .875rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -99rem; padding: .5rem 1rem; background: var(--card); z-index: 1; }
.skip:focus { left: .5rem; top: .5rem; }

header.verdict { margin-top: 1.5rem; padding: 1.5rem 1.25rem 1.25rem 1.5rem; background: var(--card); border: 1px solid var(--line); border-left: .6rem solid var(--state); border-radius: .5rem; max-width: calc(76rem - 2.5rem); }
header.conformant { --state: var(--passed); }
header.nonconformant { --state: var(--failed); }
header.inconclusive { --state: var(--cantTell); }
.kicker { color: var(--soft); overflow-wrap: anywhere; }
h1 { font-size: clamp(1.6rem, 5vw, 2.4rem); line-height: 1.2; color: var(--state); letter-spacing: .01em; margin: .15rem 0 .35rem; }
.why, .partial { overflow-wrap: anywhere; }
.verdict .chips { margin-top: .75rem; }
.partial { margin-top: .75rem; color: var(--warning); }
.facts { margin: .75rem 0; overflow-wrap: anywhere; font-size: .9rem; }
.facts li { padding-left: .8rem; border-left: 3px solid var(--line); }
.facts li + li { margin-top: .4rem; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.1rem 0; }
.counts li { flex: 0 1 auto; padding: .3rem .8rem; border-radius: .4rem; font-size: .9rem; color: var(--fg); background: var(--bg); }
.counts b { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.counts .none { --fg: var(--soft); --bg: transparent; box-shadow: inset 0 0 0 1px var(--line); }
.run { display: flex; flex-wrap: wrap; gap: .4rem 1.75rem; font-size: .875rem; }
.run + .run, .deployments { margin-top: .4rem; font-size: .875rem; }
.deployments summary { padding: .2rem 0; color: var(--soft); }
.deployments[open] summary { border: 0; }
.run dt { color: var(--soft); }
.run dd { overflow-wrap: anywhere; }

.failed { --fg: var(--failed); --bg: var(--failed-bg); }
.warning, .advisory { --fg: var(--warning); --bg: var(--warning-bg); }
.cantTell { --fg: var(--cantTell); --bg: var(--cantTell-bg); }
.waived { --fg: var(--waived); --bg: var(--waived-bg); }
.passed { --fg: var(--passed); --bg: var(--passed-bg); }
.untested, .inapplicable, .unjudged { --fg: var(--untested); --bg: var(--untested-bg); }

h2 { font-size: 1.3rem; margin: 2.25rem 0 .75rem; }
main > section > .folded { margin-top: 1.25rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; color: var(--soft); font-weight: 600; }
h3 b { color: var(--ink); margin-right: .3rem; }
.chips, .legend { display: flex; flex-wrap: wrap; gap: .35rem; }
.legend { gap: .35rem 1rem; margin-bottom: .75rem; font-size: .875rem; color: var(--soft); }
.cell { display: inline-block; padding: .12rem .5rem; border-radius: .3rem; color: var(--fg); background: var(--bg); text-decoration: none; overflow-wrap: anywhere; font-size: .8125rem; }
a.cell:hover { text-decoration: underline; }
.cell.failed { font-weight: 700; box-shadow: inset 0 0 0 1.5px var(--fg); }
.cell.unjudged, .cell.inapplicable, .cell.untested { background: transparent; box-shadow: inset 0 0 0 1px var(--line); }
.map { display: grid; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.map > div { display: grid; grid-template-columns: 14rem 1fr; gap: .25rem 1rem; padding: .6rem .9rem; }
.map > div + div { border-top: 1px solid var(--line); }
.map dt { color: var(--soft); font-size: .9rem; }
.map dt b { display: inline-block; min-width: 1.8rem; color: var(--ink); }

#filter { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1rem; margin: 2rem -.75rem 0; padding: .6rem .75rem; background: var(--paper); border-bottom: 1px solid var(--line); }
#filter ~ section { --under: 5rem; }
.find { display: flex; align-items: center; gap: .5rem; flex: 1 1 11rem; }
.find input { flex: 1; min-width: 0; font: inherit; padding: .3rem .6rem; border: 1px solid var(--soft); border-radius: .35rem; background: var(--card); color: inherit; }
fieldset { display: flex; flex-wrap: wrap; gap: .2rem .9rem; border: 0; margin: 0; padding: 0; min-width: 0; }
.only, .take { font: inherit; font-size: .8125rem; min-height: 1.6rem; padding: .1rem .7rem; color: var(--link); background: var(--card); border: 1px solid var(--soft); border-radius: .35rem; cursor: pointer; }
.only { font-size: .9rem; padding: .25rem .8rem; }
.only[aria-pressed=true] { color: var(--failed); background: var(--failed-bg); border-color: var(--failed); font-weight: 600; }
.only:hover, .take:hover { background: var(--wire); }
.toggle { white-space: nowrap; font-size: .875rem; }
.toggle input { accent-color: var(--link); }
output { color: var(--soft); font-size: .875rem; }

.cause { background: var(--card); border: 1px solid var(--line); border-left: .4rem solid var(--failed); border-radius: .4rem; padding: 1rem 1.1rem 1.1rem; }
.cause + .cause { margin-top: 1rem; }
.cause > * + *, .broken > * + *, .fold > * + * { margin-top: .5rem; }
.cause > .where { border-top: 1px solid var(--line); padding-top: .6rem; margin-top: .9rem; color: var(--soft); font-size: .9rem; }
.broken + .broken { margin-top: .9rem; padding-top: .9rem; border-top: 1px solid var(--line); }
.broken { scroll-margin-top: 5rem; }
.broken h3 { margin: 0; color: var(--ink); overflow-wrap: anywhere; }
.broken h3 a { font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .9375rem; }
.broken .statement { font-size: 1rem; max-width: none; }
.broken .level { white-space: nowrap; }
.fold > summary { padding: .15rem 0; color: var(--soft); font-size: .875rem; border: 0 !important; }
.folded { border-top: 1px solid var(--line); }
.folded > summary { padding: .6rem .25rem; border: 0 !important; }
.folded > summary h2 { display: inline; margin: 0 .3rem 0 0; }
.folded > summary h3 { display: inline; margin: 0 .3rem 0 0; }
.folded:last-child { border-bottom: 1px solid var(--line); }
.folded[open] { padding-bottom: .75rem; }
main > section > .folded:only-child { border: 0; }
details.item, .line { background: var(--card); border: 1px solid var(--line); border-radius: .4rem; margin-top: .35rem; }
.line, summary { padding: .45rem .75rem; overflow-wrap: anywhere; }
.line { content-visibility: auto; contain-intrinsic-size: auto 2.4rem; scroll-margin-top: 6rem; }
.line:target { outline: 3px solid var(--link); }
summary { cursor: pointer; }
summary:hover { background: var(--wire); }
details[open] > summary { border-bottom: 1px solid var(--line); }
[aria-labelledby="rules"] .item[open] > summary .sentence { display: none; }
.badge { display: inline-block; padding: 0 .5rem; border-radius: 1rem; font-size: .8125rem; color: var(--fg); background: var(--bg); white-space: nowrap; }
.sentence, .time, .line .note { color: var(--soft); margin-left: .35rem; font-size: .9rem; }
.line .note::before { content: '· '; }
.inside { padding: .75rem 1rem 1rem; scroll-margin-top: 9rem; }
.inside > * + *, .occurrence > * + * { margin-top: .6rem; }
.level, .note, .links, .step { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
.level { text-transform: none; }
.statement { font-size: 1.05rem; max-width: 60rem; overflow-wrap: anywhere; }
.occurrence { border-left: 4px solid var(--fg); padding: .1rem 0 .1rem .9rem; margin-top: 1.1rem !important; }
.where, .because { overflow-wrap: anywhere; }
.because { font-weight: 600; white-space: pre-wrap; }
.sides > div { display: grid; grid-template-columns: 5.5rem 1fr; gap: .5rem; padding: .1rem 0; }
.sides dt, .way { color: var(--soft); font-size: .875rem; }
.sides dd { min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.expected code { color: var(--passed); }
.actual code { color: var(--failed); }
mark { background: var(--mark); color: var(--mark-ink); font-weight: 700; border-radius: 2px; padding: 0 1px; }
mark:empty::after { content: '\\2009'; }
.wire { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: .3rem; }
.wire > div, .copy { min-width: 0; }
pre { background: var(--wire); border: 1px solid var(--line); border-radius: .35rem; padding: .6rem .75rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem; line-height: 1.45; margin-top: .2rem; }
pre i, code i { color: var(--soft); font-style: italic; }
pre.all { user-select: all; cursor: copy; }
.over { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .2rem 1rem; }
.take { display: none; position: relative; }
.scripted .take { display: inline-block; }

table { border-collapse: collapse; font-size: .875rem; }
th, td { text-align: left; padding: .35rem .8rem .35rem 0; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; font-weight: inherit; }
.observed thead th { white-space: nowrap; }
thead th, caption { color: var(--soft); text-align: left; font-weight: 600; }
.tally td { font-variant-numeric: tabular-nums; }
.observed, .slow { width: 100%; }
.observed .seen { font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .8125rem; white-space: pre-wrap; width: 45%; }
.slow td:nth-child(2) { white-space: nowrap; }
.bar { width: 45%; vertical-align: middle; }
.bar svg { display: block; width: 100%; height: .6rem; }
svg rect { fill: var(--link); }
svg text { fill: var(--soft); font: 7px system-ui, sans-serif; text-anchor: middle; }
.histogram { display: block; width: 100%; max-width: 44rem; margin-bottom: 1rem; }
footer { margin: 3rem auto 2rem; color: var(--soft); font-size: .8125rem; overflow-wrap: anywhere; }

@media (max-width: 44rem) {
  header.verdict { margin: .75rem .6rem 0; padding: 1rem; border-left-width: .4rem; }
  main, footer { padding: 0 .75rem; }
  .map > div, .wire { grid-template-columns: minmax(0, 1fr); }
  .map > div { padding: .4rem .7rem; }
  .map .chips { gap: .25rem; }
  .map .cell { padding: .05rem .35rem; font-size: .75rem; }
  .cause { padding: .8rem .8rem .9rem; }
  #filter { position: static; }
  .sentence { display: block; margin-left: 0; }
  .observed thead { display: none; }
  .observed tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .observed th, .observed td { display: inline-block; border: 0; padding: 0 .6rem 0 0; }
  .observed th, .observed .seen { display: block; width: auto; }
  .bar { width: 25%; }
  svg text { font-size: 8px; }
}
@media print {
  :root { --paper: #fff; --card: #fff; --wire: #fff; }
  #filter, .skip, .scripted .take { display: none; }
  .item, .occurrence, tr { break-inside: avoid-page; }
  .line { content-visibility: visible; }
  .badge, .cell, .counts li, mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`
