import { basePathOf } from '../base-path.ts'
import { type Html, html } from './html.ts'
import type { Texts } from './language.ts'

/** The way to the sign-up page: of that feed, or of the default one where none is named. */
export const signUpLink = ({ signUp }: Texts, publicUrl: string, feed?: string): Html => {
  const query = feed === undefined ? '' : `?feed=${encodeURIComponent(feed)}`
  return html`<p class="way"><a href="${basePathOf(publicUrl)}/subscribe${query}">${signUp.link}</a></p>`
}
