import { basePathOf } from '../base-path.ts'
import { type Html, html } from './html.ts'
import type { Texts } from './language.ts'

/** The way to where an address asks for the link to its preferences. */
export const preferencesLink = ({ preferences }: Texts, publicUrl: string): Html =>
  html`<p class="way"><a href="${basePathOf(publicUrl)}/preferences">${preferences.link}</a></p>`
