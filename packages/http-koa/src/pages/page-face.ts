import { hash } from 'node:crypto'
import { type FeedFace, type FeedLogo, footerIn, logoUrl } from '@rollcall/core'
import { Html, html, legibleOn, textOn } from '@rollcall/platform-node'
import { languageMark, type Texts } from './language.ts'
import { linkedText } from './linked-text.ts'

/** The feed that a page is about, as its operator has it look. */
export interface PageFace {
  readonly title: string
  readonly language?: string | undefined
  readonly face: FeedFace
  /** In the page itself: nothing else is loaded. */
  readonly logo?: FeedLogo | undefined
}

export const logoImage = ({ title, logo }: PageFace): Html | undefined =>
  logo && html`<img class="logo" src="${logoUrl(logo)}" alt="${title}">`

/** The imprint, at the end of the page. */
export const imprint = (texts: Texts, { face, language }: PageFace): Html | undefined => {
  const found = footerIn(face, [texts.language, language])
  return found && html`<footer dir="auto"${languageMark(texts, found.language)}>${linkedText(found.text)}</footer>`
}

/** What cards are made of, by light and by dark, unless a theme changes it. */
const SURFACES = { light: '#fffdfa', dark: '#1b1e22' } as const

/** The style that gives a page the accent of its feed, as an element and as a Content-Security-Policy names it. */
export const accentStyle = (
  face: PageFace | undefined,
): { readonly element: Html; readonly source: string } | undefined => {
  const { accent } = face?.face ?? {}
  if (accent === undefined) return undefined
  const root = (surface: string) =>
    `:root{--accent:${accent};--on-accent:${textOn(accent)};--link:${legibleOn(accent, surface)}}`
  const sheet = `${root(SURFACES.light)}@media(prefers-color-scheme:dark){${root(SURFACES.dark)}}`
  return { element: new Html(`<style>${sheet}</style>`), source: `'sha256-${hash('sha256', sheet, 'base64')}'` }
}
