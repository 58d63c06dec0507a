/** The page's one style sheet: light and dark, wide and narrow. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d1c1a; --soft: #5c5954; --line: #dedad3; --wire: #f4f2ee; --link: #1c4f9c;
  --good: #17663a; --good-bg: #dff2e5; --bad: #a61b1b; --bad-bg: #fbe4e1; --none: #5c5954; --none-bg: #edeae5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161719; --card: #1e2023; --ink: #e9e7e3; --soft: #aba79f; --line: #383b40; --wire: #131416; --link: #9cc2ff;
    --good: #83d9a2; --good-bg: #173b26; --bad: #ff9d94; --bad-bg: #4a1d1b; --none: #aba79f; --none-bg: #2d3034;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 84rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.25rem; }
.secret { max-width: 30rem; margin: 4rem auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; display: grid; gap: 1rem; }
.secret form { display: grid; gap: .8rem; }
.secret label { display: grid; gap: .2rem; }
.secret button { justify-self: start; }
h1, h2, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { line-height: 1.3; }
h2 { font-size: 1.1rem; display: inline; }
code, pre, h1, .wire, textarea { font-family: ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .875rem; }
h1 { font-size: 1.25rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.kicker, .note, .panel summary span, output, .when, .side { color: var(--soft); font-size: .875rem; }
.line { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin-top: .5rem; }
#message { min-height: 1.6rem; color: var(--good); font-weight: 600; }
#message.bad { color: var(--bad); }
button, select, input, textarea { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: .35rem; padding: .25rem .6rem; min-height: 2.1rem; max-width: 100%; }
textarea { font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .8125rem; width: 100%; }
input[type=checkbox] { min-height: 0; accent-color: var(--link); }
button { color: var(--link); cursor: pointer; font-size: .9rem; }
button:hover { background: var(--wire); }
main { display: grid; grid-template-columns: minmax(0, 1fr) 23rem; gap: 1.5rem; align-items: start; padding-bottom: 3rem; }
.panels { display: grid; gap: .75rem; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .2rem .9rem; }
.panel[open] { padding-bottom: .9rem; }
.panel[open] #clock-short { display: none; }
.panel summary { padding: .45rem 0; cursor: pointer; }
.panel form { display: grid; gap: .5rem; margin: .6rem 0; }
.panel form button, .panel > button { justify-self: start; }
.panel label { display: grid; gap: .15rem; font-size: .875rem; }
.panel li { display: flex; gap: .6rem; justify-content: space-between; align-items: start; padding: .3rem 0; border-top: 1px solid var(--line); font-size: .9rem; }
.panel li button { min-height: 1.6rem; padding: 0 .5rem; font-size: .8125rem; flex: none; }
#filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .5rem 0; font-size: .9rem; }
#filter input[type=search] { width: 16rem; }
#entries { border-bottom: 1px solid var(--line); }
#entries > li { border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 2.4rem; }
#entries summary { display: flex; flex-wrap: wrap; gap: .1rem .7rem; padding: .4rem 0; cursor: pointer; align-items: baseline; }
#entries summary:hover { background: var(--wire); }
.wire { unicode-bidi: isolate; }
.why { flex-basis: 100%; font-size: .9rem; color: var(--bad); padding-left: 3rem; }
.status { min-width: 2.6rem; text-align: center; border-radius: 1rem; padding: 0 .5rem; font-size: .8125rem; font-weight: 600; }
.good { color: var(--good); background: var(--good-bg); }
.bad { color: var(--bad); background: var(--bad-bg); }
.none { color: var(--none); background: var(--none-bg); }
#message.good, #message.bad { background: none; }
dl { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: .2rem .8rem; padding: .3rem 0 .8rem 3rem; font-size: .875rem; }
dt { color: var(--soft); }
pre, dd { white-space: pre-wrap; overflow-wrap: anywhere; }
#none { padding: 1rem 0; color: var(--soft); }
#older { margin-top: .8rem; }
@media (max-width: 60rem) {
  main { grid-template-columns: minmax(0, 1fr); }
  .panels { order: -1; }
  header, main { padding-left: .75rem; padding-right: .75rem; }
  .why, dl { padding-left: 0; }
  #filter input[type=search] { width: 11rem; }
}
`
