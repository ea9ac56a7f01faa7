import { basePathOf } from '../http-options.ts'
import { type Html, html } from './html.ts'
import type { Texts } from './language.ts'

/** A link to the sign-up page of a feed; by default, of the default feed. */
export const signUpLink = ({ signUp }: Texts, publicUrl: string, feed?: string): Html => {
  const query = feed === undefined ? '' : `?feed=${encodeURIComponent(feed)}`
  return html`<p class="way"><a href="${basePathOf(publicUrl)}/subscribe${query}">${signUp.link}</a></p>`
}

/** A link to the page where a person asks for the link to the preferences of an address. */
export const preferencesLink = ({ preferences }: Texts, publicUrl: string): Html =>
  html`<p class="way"><a href="${basePathOf(publicUrl)}/preferences">${preferences.link}</a></p>`
