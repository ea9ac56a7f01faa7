import { hash } from 'node:crypto'

/** The one style of every page; inlined, so that a page is a single request. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf8; --surface: #ffffff; --line: #d5d1ca; --text: #1f2328; --quiet: #57534e;
  --accent: #0b57a4; --on-accent: #ffffff; --alarm: #a11212; --focus: #b45309;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181b; --surface: #1f2226; --line: #43484f; --text: #eceae6; --quiet: #b3aea6;
    --accent: #8cc2ff; --on-accent: #0c1b2b; --alarm: #ff9d94; --focus: #fbbf24;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; align-items: center; justify-items: center;
  padding: clamp(1rem, 5vw, 3rem); background: var(--ground); color: var(--text);
  font: 1.0625rem/1.55 system-ui, sans-serif;
}
main {
  width: 100%; max-width: 34rem; padding: clamp(1.25rem, 5vw, 2.5rem);
  background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; overflow-wrap: anywhere;
}
h1 { margin: 0 0 1rem; font-size: 1.6rem; line-height: 1.25; text-wrap: balance; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
form { margin: 1.5rem 0 0; }
label { display: block; margin: 0 0 .25rem; font-weight: 600; }
input {
  width: 100%; margin: 0 0 1rem; padding: .65rem .75rem; font: inherit; color: inherit;
  background: var(--ground); border: 1px solid var(--quiet); border-radius: .4rem;
}
input[aria-invalid="true"] { border: 2px solid var(--alarm); }
button {
  min-height: 2.75rem; padding: .65rem 1.5rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 2px solid transparent; border-radius: .4rem;
}
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.quiet { color: var(--quiet); font-size: .95rem; }
.alarm { color: var(--alarm); font-weight: 600; }
.problem { margin: -.75rem 0 1rem; color: var(--alarm); }
.trap { position: absolute; left: -10000px; width: 1px; height: 1px; overflow: hidden; }
details { margin: 2rem 0 0; padding: 1rem 0 0; border-top: 1px solid var(--line); color: var(--quiet); }
pre { margin: .75rem 0 0; padding: .75rem; overflow-x: auto; background: var(--ground); border-radius: .4rem; }
code { font: .85rem/1.5 ui-monospace, monospace; overflow-wrap: normal; }
@media (forced-colors: active) { button { border-color: ButtonText; } }
`

/** Allows the style above and forms back to this service; nothing else, and no script at all. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
