import type { Permission } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import type { ConsoleOptions } from './console-options.ts'
import { fill } from './fill.ts'
import { may, type Page, type Visit } from './visit.ts'

type Place = keyof ConsoleOptions['texts']['nav']

const PLACES: readonly (readonly [place: Place, path: string, permission: Permission])[] = [
  ['find', '/', 'subscriptions:read'],
  ['health', '/health', 'outbox:read'],
  ['users', '/users', 'users:read'],
  ['deletions', '/deletions', 'users:delete'],
  ['subscriptions', '/subscriptions', 'subscriptions:read'],
  ['suppressions', '/suppressions', 'suppressions:read'],
  ['feeds', '/feeds', 'feeds:read'],
  ['transfer', '/transfer', 'subscriptions:export'],
  ['webhooks', '/webhooks', 'webhooks:read'],
  ['tokens', '/tokens', 'tokens:read'],
  ['audit', '/audit', 'audit:read'],
  ['sessions', '/sessions', 'sessions:read'],
]

const isWithin = (current: string, path: string): boolean =>
  path === '/' ? current === '/' : current === path || current.startsWith(`${path}/`)

const navigation = (visit: Visit): Html => {
  const { nav, layout } = visit.options.texts
  const links = PLACES.filter(([, , permission]) => may(visit, permission)).map(([place, path]) => {
    const here = visit.path === path ? 'page' : isWithin(visit.path, path) ? 'true' : undefined
    return html`<li><a href="${path}"${here && html` aria-current="${here}"`}>${nav[place]}</a></li>`
  })
  return html`<header><nav aria-label="${layout.navigation}"><ul>${links}</ul></nav>
<form class="out" method="post" action="/logout"><span>${fill(layout.who, { who: html`<b>${visit.caller.id}</b>` })}</span>
<button class="second" type="submit">${layout.logout}</button></form></header>`
}

/** A whole document. */
export const layout = (options: ConsoleOptions, { title, content, wide }: Page, visit: Visit | undefined): string => {
  const { texts } = options
  return html`<!DOCTYPE html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<title>${title} - ${texts.layout.name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<script src="/script.js" defer></script>
</head>
<body class="${visit === undefined ? 'alone' : 'console'}">
${visit && html`<a class="skip" href="#main">${texts.layout.skip}</a>`}
${visit && navigation(visit)}
<main id="main"${wide && html` class="wide"`}>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text
}
