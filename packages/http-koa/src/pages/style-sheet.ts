/** The properties that a theme may set are on `:root`; the rest follows from them. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f5f2ec; --surface: #fffdfa; --line: #e3ddd1; --edge: #857f74; --text: #1f2328; --quiet: #5b564e;
  --accent: #1b5583; --on-accent: #ffffff; --link: var(--accent); --done: #2b6a45; --alarm: #a11d1d; --focus: #b45309;
  --shadow: 0 1px 2px rgb(60 45 20 / .05), 0 1rem 3rem rgb(60 45 20 / .08);
  --radius: .5rem; --card-radius: 1rem; --width: 33rem;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --heading-font: ui-serif, "Iowan Old Style", "Palatino Linotype", Palatino, "Noto Serif", Georgia, serif;
  --code-font: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131518; --surface: #1b1e22; --line: #33383f; --edge: #858b94; --text: #ebe9e4; --quiet: #b3aea5;
    --accent: #9ccaf2; --on-accent: #0b1d2d; --done: #8fd3aa; --alarm: #ffa39a; --focus: #fbbf24;
    --shadow: none;
  }
  .logo { padding: .5rem; background: #ffffff; border-radius: var(--radius); }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100svh; padding: clamp(1rem, 6vh, 4rem) 1rem;
  display: grid; align-content: center; justify-items: center;
  background: var(--ground); color: var(--text); font: 1.0625rem/1.6 var(--font);
}
main {
  width: 100%; max-width: var(--width); padding: clamp(1.75rem, 6vw, 3rem);
  background: var(--surface); border: 1px solid var(--line); border-radius: var(--card-radius);
  box-shadow: var(--shadow); overflow-wrap: anywhere;
}
h1 {
  margin: 0 0 1rem; font: 600 clamp(1.6rem, 1.25rem + 1.6vw, 2.1rem)/1.2 var(--heading-font);
  letter-spacing: -.01em; text-wrap: balance;
}
main > :last-child { margin-block-end: 0; }
h1 bdi { display: inline-block; }
h2 { margin: 0 0 .375rem; font: 600 1.1875rem/1.3 var(--heading-font); }
p { margin: 0 0 1rem; text-wrap: pretty; }
p bdi { font-weight: 600; }
a { color: var(--link); text-underline-offset: .2em; }
a:hover { text-decoration-thickness: .12em; }
.mark { display: block; width: 3rem; height: 3rem; margin: 0 0 1.25rem; color: var(--link); }
.mark.done { color: var(--done); }
.mark.alert { color: var(--alarm); }
.lead { white-space: pre-line; }
.quiet, .wording { color: var(--quiet); font-size: .9375rem; line-height: 1.5; }
.wording { margin: 0 0 1.25rem; white-space: pre-line; }
form { margin: 1.75rem 0 0; }
label { display: block; margin: 0 0 .375rem; font-weight: 600; }
input, select {
  width: 100%; min-height: 3rem; margin: 0 0 1.25rem; padding: .5rem .875rem; font: inherit; color: inherit;
  background: var(--surface); border: 1px solid var(--edge); border-radius: var(--radius);
}
input[aria-invalid=true], select[aria-invalid=true] { border: 2px solid var(--alarm); margin-block-end: .375rem; }
button {
  width: 100%; min-height: 3rem; padding: .5rem 1.5rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 2px solid transparent; border-radius: var(--radius);
}
button:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
button.second { color: var(--link); background: none; border-color: var(--edge); }
button.grave { color: var(--alarm); background: none; border-color: var(--alarm); }
button.second:hover, button.grave:hover { background: var(--ground); }
section { margin: 2rem 0 0; padding: 1.5rem 0 0; border-block-start: 1px solid var(--line); }
section p { margin: 0; }
section form { display: grid; gap: .625rem; margin: 1rem 0 0; }
section form + p { margin-block-start: 1.5rem; }
section .way { margin: 0; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; counter-reset: ticked; }
legend { margin: 0 0 .75rem; padding: 0; }
.tick :checked { counter-increment: ticked; }
.ticked::before { content: counter(ticked); }
.ticked span { display: none; }
.tick { display: flex; gap: .75rem; align-items: baseline; min-height: 2.75rem; margin: 0; padding: .5rem 0; font-weight: 400; }
.tick + label:not(.tick) { margin-block-start: .75rem; }
.tick input { flex: none; width: 1.25rem; min-height: 1.25rem; margin: 0; accent-color: var(--accent); translate: 0 .2em; }
.logo { display: block; max-width: 100%; max-height: 4rem; margin: 0 0 1.5rem; }
footer {
  margin: 2rem 0 0; padding: 1rem 0 0; border-block-start: 1px solid var(--line); white-space: pre-line;
  color: var(--quiet); font-size: .875rem; line-height: 1.5;
}
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.alarm, p.done {
  padding: .75rem 1rem; border: 1px solid; border-inline-start-width: .3rem; border-radius: var(--radius);
  color: var(--alarm); font-weight: 600;
}
p.done { color: var(--done); }
.alarm p { margin: 0; }
.alarm ul { margin: .375rem 0 0; padding-inline-start: 1.25rem; font-weight: 400; }
.alarm a { color: inherit; }
[role=alert] > :last-child { margin-block-end: 1.25rem; }
.required { color: var(--quiet); font-size: .9375rem; font-weight: 400; }
.problem { margin: 0 0 1.25rem; color: var(--alarm); font-size: .9375rem; }
progress { display: block; width: 100%; margin: 1rem 0 0; }
progress[hidden] { visibility: hidden; }
.challenge { min-height: 3.2em; }
.trap { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.way { margin: 1.75rem 0 0; }
.way + .way { margin-block-start: 0; }
.way a { display: inline-block; min-height: 2.75rem; padding-block: .525rem; }
@media (max-width: 30rem) {
  body { padding: 0; align-content: start; background: var(--surface); }
  main { border: 0; border-radius: 0; box-shadow: none; }
}
@media (prefers-reduced-motion: no-preference) { button { transition: background-color .15s; } }
@media (forced-colors: active) { button { border-color: ButtonText; } }
@media print {
  body { display: block; padding: 0; background: none; }
  main { max-width: none; border: 0; box-shadow: none; }
  button { display: none; }
}
`
