import { fillMarkup, Html, html } from '@rollcall/platform-node'
import { basePathOf } from '../http-options.ts'
import { challengeScript } from './challenge-script.ts'
import { directionOf, type Texts } from './language.ts'
import { accentStyle, imprint, logoImage, type PageFace } from './page-face.ts'
import type { Style } from './pages.ts'

/** One page, before it is laid out. */
export interface Page {
  readonly texts: Texts
  readonly title: string
  /** What stands above the content; by default the title. */
  readonly heading?: Html | undefined
  readonly icon?: IconName | undefined
  /** Of the feed that it is about. */
  readonly face?: PageFace | undefined
  readonly content: Html
  /** Whether a form on the page has a challenge to solve, by our script: the only one that a page may run. */
  readonly challenge?: boolean | undefined
  /** The URLs outside this service to which a form on the page may lead. */
  readonly formTargets?: readonly string[] | undefined
}

/** A page with a message, and perhaps links to go on. */
export const noticePage = (texts: Texts, icon: IconName, title: string, text: string | Html, links?: Html): Page => ({
  texts,
  title,
  icon,
  content: html`<p>${text}</p>${links}`,
})

/** A link to the sign-up page of a feed; by default, of the default feed. */
export const signUpLink = ({ signUp }: Texts, publicUrl: string, feed?: string, text = signUp.link): Html => {
  const query = feed === undefined ? '' : `?feed=${encodeURIComponent(feed)}`
  return html`<p class="way"><a href="${basePathOf(publicUrl)}/subscribe${query}">${text}</a></p>`
}

/** A link back to the site that the feed is of, if the feed names one. */
export const homeLink = (
  { signUp }: Texts,
  feed: { readonly homeUrl?: string | undefined } | undefined,
): Html | undefined => {
  const { homeUrl } = feed ?? {}
  if (homeUrl === undefined) return undefined
  const site = html`<bdi dir="ltr">${URL.parse(homeUrl)?.host || homeUrl}</bdi>`
  return html`<p class="way"><a href="${homeUrl}">${fillMarkup(signUp.home, { site })}</a></p>`
}

/** A link to the page where a person asks for the link to the preferences of an address. */
export const preferencesLink = ({ preferences }: Texts, publicUrl: string): Html =>
  html`<p class="way"><a href="${basePathOf(publicUrl)}/preferences">${preferences.link}</a></p>`

type IconName = 'mail' | 'done' | 'alert'

const icon = (name: IconName, strokes: string): Html =>
  new Html(
    `<svg class="mark ${name}" viewBox="0 0 24 24" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${strokes}</g></svg>`,
  )

/** Decorative icons above the heading; they carry no information of their own. */
const ICONS: Readonly<Record<IconName, Html>> = {
  mail: icon('mail', '<rect x="2.5" y="5" width="19" height="14" rx="2"/><path d="m3 7 9 6.5L21 7"/>'),
  done: icon('done', '<circle cx="12" cy="12" r="9.5"/><path d="m7.5 12.5 3 3 6-6.5"/>'),
  alert: icon('alert', '<circle cx="12" cy="12" r="9.5"/><path d="M12 7v6M12 16.5v.01"/>'),
}

/**
 * A whole document: one heading, one landmark, and no script but the one that solves a challenge.
 * @param nonce of that script, if the page has it
 */
export const layout = ({ texts, title, heading, icon, face, content }: Page, style: Style, nonce?: string): string =>
  html`<!doctype html>
<html lang="${texts.language}" dir="${directionOf(texts.language)}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
${style.elements}${accentStyle(face)?.element}
${nonce === undefined ? undefined : challengeScript(nonce)}
</head>
<body>
<main>
${face && logoImage(face)}
${icon && ICONS[icon]}
<h1>${heading ?? title}</h1>
${content}
${face && imprint(texts, face)}
</main>
</body>
</html>
`.text
