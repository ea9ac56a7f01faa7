import { type Html, html } from './html.ts'
import type { IconName } from './icons.ts'
import type { Texts } from './language.ts'

/** One page, before it is laid out. */
export interface Page {
  readonly texts: Texts
  /** The title of the window. */
  readonly title: string
  /** What stands above the content; by default the title. */
  readonly heading?: Html | undefined
  readonly icon?: IconName | undefined
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
