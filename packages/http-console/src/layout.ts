import type { Permission } from '@rollcall/core'
import { fillMarkup, type Html, html } from '@rollcall/platform-node'
import type { ConsoleOptions } from './console-options.ts'
import { trailOf } from './trail.ts'
import { may, type Page, type Visit } from './visit.ts'

type Place = keyof ConsoleOptions['texts']['nav']
type Entry = readonly [place: Place, path: string, permission?: Permission]

/** What there is, as one looks for it. */
const GROUPS: Readonly<Record<keyof ConsoleOptions['texts']['groups'], readonly Entry[]>> = {
  overview: [
    ['start', '/'],
    ['health', '/health', 'outbox:read'],
  ],
  people: [
    ['subscriptions', '/subscriptions', 'subscriptions:read'],
    ['users', '/users', 'users:read'],
    ['deletions', '/deletions', 'users:delete'],
    ['suppressions', '/suppressions', 'suppressions:read'],
  ],
  sending: [
    ['feeds', '/feeds', 'feeds:read'],
    ['webhooks', '/webhooks', 'webhooks:read'],
    ['transfer', '/transfer', 'subscriptions:export'],
  ],
  access: [
    ['audit', '/audit', 'audit:read'],
    ['tokens', '/tokens', 'tokens:read'],
    ['sessions', '/sessions', 'sessions:read'],
  ],
}

const isWithin = (current: string, path: string): boolean =>
  path === '/' ? current === '/' : current === path || current.startsWith(`${path}/`)

/** Twice in a page: beside the content, or behind a button if the window is narrow. One of them is never shown. */
const navigation = (visit: Visit, label: string, className?: string): Html => {
  const { nav, groups, layout } = visit.options.texts
  const lists = Object.entries(GROUPS).map(([group, entries]) => {
    const links = entries
      .filter(([, , permission]) => permission === undefined || may(visit, permission))
      .map(([place, path]) => {
        const here = visit.path === path ? 'page' : isWithin(visit.path, path) ? 'true' : undefined
        return html`<li><a href="${path}"${here && html` aria-current="${here}"`}>${nav[place]}</a></li>`
      })
    return links.length === 0
      ? html``
      : html`<div><p>${groups[group as keyof typeof groups]}</p><ul>${links}</ul></div>`
  })
  return html`<nav aria-label="${label}"${className && html` class="${className}"`}>${lists}
<form class="out" method="post" action="/logout">${fillMarkup(layout.who, { who: html`<b>${visit.caller.id}</b>` })}
<button class="second" type="submit">${layout.logout}</button></form></nav>`
}

/** What was typed comes in a body: it may be an address. */
const box = ({ options, form, path }: Visit): Html => {
  const { find } = options.texts
  const isFirst = path === '/'
  return html`<form class="find" method="post" action="/find" role="search"><label class="unseen" for="q">${find.label}</label>
<input type="search" id="q" name="q" value="${path === '/find' && form.text('q')}" placeholder="${find.label}" required${isFirst && html` autofocus`} autocomplete="off" autocapitalize="off" spellcheck="false">
<button class="second" type="submit">${find.button}</button></form>`
}

const MARK = html`<svg viewBox="0 0 28 28" aria-hidden="true"><rect width="28" height="28" rx="7" fill="currentColor" opacity=".16"/><path d="M6 9h9M6 14h6M6 19h5" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" fill="none"/><path d="m14.5 18.2 3.2 3.3L23 13.6" stroke="currentColor" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round" fill="none"/></svg>`

const brand = ({ layout }: ConsoleOptions['texts']): Html => html`<a class="brand" href="/">${MARK}${layout.name}</a>`

const header = (visit: Visit): Html => {
  const { texts } = visit.options
  return html`<a class="skip" href="#main">${texts.layout.skip}</a>
<header class="top">${brand(texts)}
<details class="menu"><summary>${texts.layout.menu}</summary>${navigation(visit, texts.layout.menu)}</details>
${may(visit, 'subscriptions:read') && box(visit)}</header>`
}

const crumbs = ({ options }: Visit, trail: ReturnType<typeof trailOf>, title: string): Html | undefined => {
  const { layout } = options.texts
  if (trail.length === 0) return undefined
  return html`<nav class="crumbs" aria-label="${layout.trail}"><ol>${trail.map(
    ([path, text]) => html`<li><a href="${path}">${text}</a></li>`,
  )}<li aria-current="page">${title}</li></ol></nav>`
}

const footer = ({ options }: Visit): Html => {
  const { layout } = options.texts
  return html`<footer class="foot" id="zones" data-utc="${layout.showUtc}" data-own="${layout.showOwn}">
<p data-zone hidden>${fillMarkup(layout.ownZone, { zone: html`<b></b>` })}</p><p data-zone>${layout.utc}</p></footer>`
}

const body = (options: ConsoleOptions, { title, heading, badges, content }: Page, visit: Visit | undefined): Html => {
  const trail = visit === undefined ? [] : trailOf(visit)
  const head = html`<div class="head">${heading !== undefined && trail.length === 0 && html`<p class="kicker">${title}</p>`}<h1>${heading ?? title}</h1>${badges}</div>`
  if (visit === undefined)
    return html`<body class="alone">
<main id="main">${brand(options.texts)}
${head}
${content}
</main>`
  return html`<body>
${header(visit)}
<div class="frame">${navigation(visit, options.texts.layout.navigation, 'side')}
<div class="body">${crumbs(visit, trail, title)}
<main id="main" tabindex="-1">
${head}
${content}
</main>
${footer(visit)}</div></div>`
}

/** A browser shows no more of a title. */
const LONGEST_TITLE = 48

const short = (title: string): string =>
  title.length <= LONGEST_TITLE ? title : `${title.slice(0, LONGEST_TITLE - 1).toWellFormed()}…`

/** A whole document. */
export const layout = (options: ConsoleOptions, page: Page, visit: Visit | undefined): string => {
  const { texts } = options
  return html`<!DOCTYPE html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<title>${short(page.title)} - ${texts.layout.name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#191d23" media="(prefers-color-scheme: dark)">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<script src="/script.js" defer></script>
</head>
${body(options, page, visit)}
</body>
</html>
`.text
}
