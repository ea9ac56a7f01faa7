/** What the console adds to the style of the public pages. */
const OWN = `
body.console { display: block; padding: 0; min-height: 100vh; }
body.console main { max-width: 72rem; margin: 0 auto; padding: clamp(1rem, 3vw, 2rem); background: none; border: 0; box-shadow: none; }
body.console h1 { font-size: clamp(1.4rem, 1.2rem + 1vw, 1.8rem); }
h2 { margin: 2rem 0 .5rem; }
.skip { position: absolute; inset-inline-start: -100vw; top: 0; padding: .75rem 1rem; background: var(--surface); }
.skip:focus { inset-inline-start: 0; z-index: 1; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; padding: .25rem clamp(1rem, 3vw, 2rem); background: var(--surface); border-block-end: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-flex; align-items: center; min-height: 2.75rem; }
nav a[aria-current] { color: var(--text); font-weight: 600; text-decoration-thickness: .15em; }
form.out { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; margin: 0; color: var(--quiet); overflow-wrap: anywhere; }
body.console button { width: auto; min-height: 2.75rem; padding: .25rem 1.25rem; }
form { max-width: 40rem; }
form.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; max-width: none; margin: 1rem 0; }
form.row .field { flex: 0 1 14rem; }
form.row input, form.row select { margin: 0; }
form.single { display: inline-block; margin: 0; }
select, textarea, input { width: 100%; min-height: 2.75rem; padding: .375rem .75rem; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--edge); border-radius: var(--radius); }
textarea { margin: 0 0 1.25rem; font-family: var(--code-font); font-size: .9375rem; }
select { margin: 0 0 1.25rem; }
.hint { margin: -.25rem 0 .375rem; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
.tick { min-height: 3rem; }
.tick input { width: 1.25rem; min-height: 1.25rem; margin: 0; }
.scroll { overflow-x: auto; margin: 0 0 1rem; padding: 0; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; line-height: 1.4; overflow-wrap: normal; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: .5rem .75rem; text-align: start; vertical-align: top; border-block-end: 1px solid var(--line); }
td { max-width: 28rem; overflow-wrap: anywhere; min-width: 4rem; }
th { white-space: nowrap; }
tbody tr:last-child td { border: 0; }
td a, td button { display: inline-flex; align-items: center; min-height: 2rem; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }
dl { margin: 0 0 1rem; padding: .5rem 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
dl div { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: .25rem 1rem; padding: .25rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { dl div { grid-template-columns: 1fr; gap: 0; } }
.actions { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.actions a, .pager a { display: inline-flex; align-items: center; min-height: 2.75rem; }
.pager { display: flex; gap: 1.5rem; }
.notice { padding: .75rem 1rem; border: 1px solid; border-inline-start-width: .3rem; border-radius: var(--radius); font-weight: 600; }
.notice.done { color: var(--done); }
.notice.alarm { color: var(--alarm); }
.notice.hint { color: var(--text); border-color: var(--edge); font-weight: 400; margin: 0 0 1rem; }
code, pre { font-family: var(--code-font); font-size: .9em; }
pre { overflow-x: auto; margin: 0 0 1rem; padding: .75rem 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); white-space: pre-wrap; overflow-wrap: anywhere; }
.alone pre { background: var(--ground); }
svg.chart { width: 100%; max-width: 48rem; height: auto; }
svg.chart rect { fill: var(--accent); }
svg.chart text { fill: var(--text); font: .8rem var(--font); }
progress { width: 100%; max-width: 40rem; height: 1.25rem; accent-color: var(--accent); margin: 0 0 1rem; }
`

/** The public pages' style, what the console adds, and the theme of the deployer, which has the last word. */
export const styleSheet = ({ base, theme }: { readonly base: string; readonly theme: string }): string =>
  [base, OWN, theme].filter(Boolean).join('\n')
