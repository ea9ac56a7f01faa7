/** The properties that a theme may set are on `:root`, under the names that they have on the public pages. */
const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f3f4f6; --surface: #ffffff; --line: #dfe2e7; --edge: #7f8792; --text: #1b2027; --quiet: #565e69;
  --accent: #1b5583; --on-accent: #ffffff; --link: var(--accent); --done: #1f6b41; --alarm: #a11d1d; --wait: #7d5200; --focus: #b45309;
  --radius: .5rem;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; --heading-font: var(--font);
  --code-font: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101317; --surface: #191d23; --line: #2e343c; --edge: #7d8590; --text: #e8eaed; --quiet: #a9b0b9;
    --accent: #8fc4f0; --on-accent: #0b1d2d; --done: #84d3a3; --alarm: #ffa097; --wait: #f0c36b; --focus: #fbbf24;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 var(--font); }
a { color: var(--link); text-underline-offset: .2em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
p { margin: 0 0 1rem; text-wrap: pretty; }
h1 { margin: 0; font: 650 1.625rem/1.25 var(--heading-font); letter-spacing: -.012em; overflow-wrap: anywhere; }
h2 { margin: 2.25rem 0 .75rem; font: 650 1.125rem/1.3 var(--heading-font); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.quiet, .kicker, .count { color: var(--quiet); }
.quiet, .count { font-size: .9375rem; }
.unseen, caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.twofold { display: grid; gap: 0 2.5rem; }
.beside h2 { margin-block-start: 0; }
.beside .quiet { margin: .5rem 0; }
.preview { display: block; width: 100%; height: 40rem; margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: var(--radius); background: #ffffff; }
@media (min-width: 75rem) {
  form:has(.twofold) { max-width: none; }
  .twofold { grid-template-columns: minmax(0, 1fr) minmax(22rem, 1fr); }
  .beside { position: sticky; top: 1rem; align-self: start; }
}
.skip { position: absolute; inset-inline-start: -100vw; top: 0; padding: .75rem 1rem; background: var(--surface); }
.skip:focus { inset-inline-start: 0; z-index: 1; }

.top { position: relative; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; padding: .5rem clamp(1rem, 3vw, 2rem); background: var(--surface); border-block-end: 1px solid var(--line); }
.brand { display: inline-flex; align-items: center; gap: .625rem; min-height: 2.75rem; color: var(--text); font-weight: 650; text-decoration: none; }
.brand svg { width: 1.75rem; height: 1.75rem; color: var(--accent); }
.find { display: flex; flex: 1 1 20rem; gap: .5rem; max-width: 40rem; margin: 0; }
.find input { margin: 0; }
.frame { display: grid; grid-template-columns: 14.5rem minmax(0, 1fr); max-width: 96rem; }
.side { padding: 1.25rem .75rem 2rem clamp(.25rem, 2vw, 1.25rem); }
.side ul, .menu ul { margin: 0 0 1.25rem; padding: 0; list-style: none; }
.side p, .menu p { margin: 0 0 .25rem; padding: 0 .75rem; color: var(--quiet); font-size: .8125rem; font-weight: 600; }
nav li a { display: flex; align-items: center; min-height: 2.75rem; padding: .25rem .75rem; border-radius: var(--radius); color: var(--text); text-decoration: none; }
nav li a:hover { background: color-mix(in srgb, var(--text) 7%, transparent); }
nav li a[aria-current] { color: var(--link); background: color-mix(in srgb, var(--accent) 12%, transparent); font-weight: 600; }
.out { margin: 0; padding: .75rem .75rem 0; border-block-start: 1px solid var(--line); color: var(--quiet); font-size: .875rem; overflow-wrap: anywhere; }
.out b { display: block; margin: 0 0 .5rem; color: var(--text); }
.menu { display: none; }
.menu > summary { display: flex; align-items: center; min-height: 2.75rem; padding: 0 1rem; border: 1px solid var(--edge); border-radius: var(--radius); font-weight: 600; cursor: pointer; list-style: none; }
.menu > summary::-webkit-details-marker { display: none; }
.menu[open] > summary { background: var(--ground); }
.body { min-width: 0; padding: 1.5rem clamp(1rem, 3vw, 2rem) 3rem; }
main { max-width: 72rem; }
.crumbs ol { display: flex; flex-wrap: wrap; gap: 0 .5rem; margin: -.75rem 0 0; padding: 0; list-style: none; font-size: .9375rem; }
.crumbs li { display: flex; align-items: center; gap: .5rem; overflow-wrap: anywhere; }
.crumbs li + li::before { content: "/"; color: var(--quiet); }
.crumbs a { display: inline-flex; align-items: center; min-height: 2.75rem; min-width: 1.5rem; padding: 0; color: var(--link); text-decoration: underline; }
.crumbs a:hover { background: none; }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin: 0 0 1.25rem; }
.head .kicker { flex-basis: 100%; margin: 0 0 -.375rem; font-size: .9375rem; }
.foot { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; max-width: 72rem; margin: 2.5rem 0 0; padding: 1rem 0 0; border-block-start: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
.foot p { margin: 0; }
.alone main { width: min(100% - 2rem, 30rem); margin: 0 auto; padding: clamp(2rem, 12vh, 8rem) 0 3rem; }
.alone .brand { margin: 0 0 1rem; }

label, legend { display: block; margin: 0 0 .375rem; padding: 0; font-weight: 600; }
input, select, textarea { width: 100%; min-height: 2.75rem; margin: 0 0 1.25rem; padding: .375rem .75rem; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--edge); border-radius: var(--radius); }
textarea { font-family: var(--code-font); font-size: .9375rem; }
[aria-invalid=true] { border: 2px solid var(--alarm); margin-block-end: .375rem; }
input[type=file] { background: none; border-style: dashed; padding: .5rem; }
form { max-width: 42rem; }
fieldset { min-width: 0; margin: 0 0 1.25rem; padding: 0; border: 0; }
.tick { display: flex; gap: .75rem; align-items: center; min-height: 2.75rem; margin: 0; font-weight: 400; overflow-wrap: anywhere; }
.tick input { flex: none; width: 1.25rem; min-height: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
.hint { margin: -.25rem 0 .375rem; }
.problem { margin: 0 0 1.25rem; color: var(--alarm); font-size: .9375rem; font-weight: 600; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .25rem 1.25rem; font: inherit; font-weight: 600; cursor: pointer; text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: var(--radius); }
button:hover, .button:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
button.second { color: var(--link); background: var(--surface); border-color: var(--edge); }
button.grave { color: var(--alarm); background: var(--surface); border-color: var(--alarm); }
button.second:hover, button.grave:hover { background: var(--ground); }
form.row { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; max-width: none; margin: 0 0 1rem; }
form.row .field { flex: 1 1 9rem; max-width: 13rem; }
form.row .field.wide { flex: 1 1 16rem; max-width: 26rem; }
form.row input, form.row select { margin: 0; }
form .tick + button { margin-block-start: .75rem; }
form.single { display: inline-block; margin: 0; }
.way { margin: 1rem 0 0; }
.way a { display: inline-flex; align-items: center; min-height: 2.75rem; }

.card, dl, .scroll, pre, details.more { margin: 0 0 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: calc(var(--radius) * 1.25); }
.card { padding: 1rem 1.25rem; }
.card > :last-child { margin-block-end: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)); gap: 1rem; margin: 0 0 1.25rem; }
.cards .card { margin: 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 1.5rem; }
.pair > section { min-width: 0; }
.figure { display: block; font-size: 1.75rem; line-height: 1.2; font-weight: 650; letter-spacing: -.015em; font-variant-numeric: tabular-nums; }
.card .what { color: var(--quiet); font-size: .9375rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; line-height: 1.4; }
th, td { padding: .5rem .75rem; text-align: start; vertical-align: baseline; border-block-end: 1px solid var(--line); }
th { color: var(--quiet); font-size: .875rem; font-weight: 600; white-space: nowrap; }
tbody tr:last-child > * { border: 0; }
tbody tr:hover { background: color-mix(in srgb, var(--text) 3%, transparent); }
td.number, th.number { text-align: end; font-variant-numeric: tabular-nums; }
.said { display: block; white-space: normal !important; overflow-wrap: anywhere; color: var(--quiet); }
td a, p > a { padding-block: .25rem; }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; }
.chips a { display: inline-flex; align-items: center; justify-content: center; min-width: 2.75rem; min-height: 2.75rem; padding: 0 .75rem; border: 1px solid var(--edge); border-radius: var(--radius); text-decoration: none; }
td button { min-height: 2rem; padding: .125rem .75rem; white-space: nowrap; }
time, td code { white-space: nowrap; }
time { font-variant-numeric: tabular-nums; }
.zone { color: var(--quiet); font-size: .8125em; }
.zone.below { display: block; }
.text { overflow-wrap: anywhere; }
td > .text { display: block; min-width: 12rem; }
dl { padding: .5rem 1.25rem; }
dl div { display: grid; grid-template-columns: minmax(9rem, 14rem) minmax(0, 1fr); gap: .125rem 1rem; padding: .375rem 0; }
dl div + div { border-block-start: 1px solid var(--line); }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.badge { display: inline-flex; align-items: center; gap: .375rem; padding: .0625rem .5rem; border: 1px solid; border-radius: 1rem; font-size: .8125rem; font-weight: 600; line-height: 1.5; white-space: nowrap; color: var(--quiet); }
.badge::before { content: ""; width: .5rem; height: .5rem; border-radius: 50%; background: currentColor; }
.badge.good { color: var(--done); }
.badge.wait { color: var(--wait); }
.badge.wait::before { background: none; border: 2px solid; }
.badge.bad { color: var(--alarm); }
.badge.bad::before { border-radius: 0; transform: rotate(45deg) scale(.9); }
.badge.off::before { height: 2px; border-radius: 0; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem .75rem; margin: 0 0 1.25rem; padding: 0; list-style: none; }
.actions a, .pager a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: .25rem 1rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--surface); text-decoration: none; font-weight: 600; }
.actions a:hover, .pager a:hover { background: var(--ground); }
.actions a.grave { color: var(--alarm); border-color: var(--alarm); }
.tabs { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0 0 1rem; padding: 0; list-style: none; border-block-end: 1px solid var(--line); }
.tabs a, .tabs b { display: inline-flex; align-items: center; min-height: 2.75rem; border-block-end: 3px solid transparent; margin-block-end: -1px; text-decoration: none; }
.tabs b { border-color: var(--accent); }
.pager { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0 0 1.25rem; }
.notice { padding: .75rem 1rem; border: 1px solid; border-inline-start-width: .3rem; border-radius: var(--radius); background: var(--surface); font-weight: 600; }
.notice.done { color: var(--done); }
.notice.alarm { color: var(--alarm); }
.notice.hint { color: var(--text); border-color: var(--accent); font-weight: 400; margin: 0 0 1.25rem; font-size: 1rem; }
code, pre { font-family: var(--code-font); font-size: .9em; }
pre { padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
details.more > summary { display: flex; align-items: center; min-height: 2.75rem; padding: .5rem 1.25rem; color: var(--link); font-weight: 600; cursor: pointer; }
details.more > :not(summary) { margin: 0 1.25rem 1rem; }
details.more .scroll { margin: 0; border-width: 1px 0 0; border-radius: 0; }
svg.chart { display: block; width: 100%; max-width: 36rem; height: auto; }
svg.chart text { fill: var(--quiet); font: 10.5px var(--font); }
svg.chart .name { fill: var(--text); }
svg.chart .up, svg.chart .bar { fill: var(--accent); }
svg.chart .down { fill: var(--alarm); }
svg.chart line { stroke: var(--edge); }
svg.spark { display: inline-block; width: 7rem; height: 1.75rem; vertical-align: middle; }
svg.spark path { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
progress { width: 100%; max-width: 42rem; height: 1.25rem; accent-color: var(--accent); margin: 0 0 1rem; }

@media (max-width: 64rem) {
  .frame { display: block; }
  .side { display: none; }
  .menu { display: block; order: 1; margin-inline-start: auto; }
  .find { order: 2; flex-basis: 100%; max-width: none; }
  .menu nav { position: absolute; inset-inline: 0; top: 100%; z-index: 1; display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: 0 1rem; padding: 1rem clamp(.25rem, 2vw, 1.25rem); background: var(--surface); border-block-end: 1px solid var(--edge); box-shadow: 0 1rem 2rem rgb(0 0 0 / .2); }
  .menu .out { grid-column: 1 / -1; }
}
@media (max-width: 40rem) {
  .top { gap: .5rem .75rem; }
  .body { padding-block-start: 1rem; }
  h1 { font-size: 1.375rem; }
  .crumbs [aria-current] { display: none; }
  dl { padding: .25rem 1rem; }
  dl div { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .card { padding: .75rem 1rem; }
  .cards { grid-template-columns: 1fr 1fr; gap: .75rem; }
  .figure { font-size: 1.5rem; }
  .scroll { overflow: visible; background: none; border: 0; border-radius: 0; }
  table, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { margin: 0 0 .75rem; padding: .5rem .75rem; background: var(--surface); border: 1px solid var(--line); border-radius: calc(var(--radius) * 1.25); }
  td, td.number { display: flow-root; padding: .25rem 0 .25rem 5.75rem; border: 0; text-align: start; overflow-wrap: anywhere; }
  td::before { content: attr(data-l); float: inline-start; width: 5.5rem; margin-inline-start: -5.75rem; color: var(--quiet); font-size: .8125rem; }
  td:first-child { padding: .375rem 0; font-weight: 600; }
  td:first-child::before { content: none; }
  td:first-child code { font-size: 1em; }
  td:empty { display: none; }
  td code, td time { white-space: normal; overflow-wrap: anywhere; }
  td time { font-size: .875rem; }
  svg.chart text { font-size: 15px; }
  td > .text { min-width: 0; }
  form.row .field { flex: 1 1 8rem; }
  form.row .field.wide { flex: 1 1 100%; max-width: none; }
}
@media (prefers-reduced-motion: no-preference) { button { transition: background-color .15s; } }
@media (forced-colors: active) { button, .badge { border-color: ButtonText; } .badge::before { background: CanvasText; } }
@media print { .top, .side, .foot, form, .actions, .pager { display: none; } .frame { display: block; } body { background: none; } }
`

/** The console's own, and the theme of the deployer, which has the last word. */
export const styleSheet = (theme: string): string => [STYLE, theme].filter(Boolean).join('\n')
