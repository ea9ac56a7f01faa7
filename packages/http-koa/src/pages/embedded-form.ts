import { currentWording, type Feed, type FeedField } from '@rollcall/core'
import { Html, html, textOn } from '@rollcall/platform-node'
import { fieldControl, fieldLabel } from './feed-field.ts'
import { challengeAttributes, LEFT_ALONE, requiredMark } from './form.ts'
import { DEFAULT_LANGUAGE, directionOf, type Languages, languageMark, type Texts, textsFor } from './language.ts'
import { linkedText } from './linked-text.ts'
import { type Pages, SHIPPED_PAGES } from './pages.ts'
import { fill } from './placeholders.ts'

export interface EmbeddedFormOptions {
  /** Of the service that the form is sent to, without a slash at the end. */
  readonly publicUrl: string
  /** Whether a proof of work is required: then the form brings the script that does it. */
  readonly challenge: boolean
  /** The result of `readPages`; by default the pages as shipped. */
  readonly pages?: Pages | undefined
  /** Of its texts; by default that of the feed. */
  readonly language?: string | undefined
  /** Where to redirect after the sign-up: one of the feed's return URLs. */
  readonly returnTo?: string | undefined
  /** Without it, the form is as the site around it has its forms. */
  readonly style: boolean
}

/**
 * The sign-up form of a feed, as markup to be put into a page of another site. It needs no script, unless a proof of
 * work is required, and works where the policy of that site forbids its style.
 */
export const embeddedForm = (feed: Feed, options: EmbeddedFormOptions): string => {
  const { publicUrl, challenge, pages = SHIPPED_PAGES, language, returnTo, style } = options
  const languages = pages.languages as Languages
  const texts = textsFor(languages, [language, feed.language]) ?? DEFAULT_LANGUAGE
  const attributes = challenge ? challengeAttributes(texts, `${publicUrl}/challenge`) : undefined
  const label = fill(texts.signUp.title, { feed: feed.title })
  return html`${style ? styleOf(feed) : undefined}<form class="rollcall-form" method="post" action="${publicUrl}/subscribe" aria-label="${label}" lang="${texts.language}" dir="${directionOf(texts.language)}"${attributes}>
${fields(texts, feed, returnTo)}
  <p><button type="submit">${texts.signUp.submit}</button></p>
  <p><a href="${publicUrl}/preferences">${texts.preferences.link}</a></p>
</form>
${challenge ? html`<script src="${publicUrl}/challenge.js" defer></script>\n` : undefined}`.text
}

/** The tags of the languages that pages, or the pages as shipped, have texts in. */
export const pageLanguages = ({ languages }: Pages = SHIPPED_PAGES): readonly string[] =>
  [...(languages as Languages).values()].map(({ language }) => language).sort()

const fields = (texts: Texts, feed: Feed, returnTo: string | undefined): Html => {
  const { signUp, language } = texts
  const wording = currentWording(feed)?.text
  const lines = [
    html`<p><label>${signUp.email}${requiredMark(texts)} <input name="email" type="email" autocomplete="email" required></label></p>`,
    html`<p><label>${signUp.name} <input name="name" type="text" autocomplete="name"></label></p>`,
    ...feed.fields.filter(({ erasing }) => !erasing).map((field) => embeddedField(texts, feed, field)),
    html`<p hidden><label>${signUp.trap} <input name="website" type="text" tabindex="-1" autocomplete="off" ${LEFT_ALONE}></label></p>`,
    html`<input name="feed" type="hidden" value="${feed.name}">`,
    html`<input name="locale" type="hidden" value="${language}">`,
    ...(returnTo === undefined ? [] : [html`<input name="return_to" type="hidden" value="${returnTo}">`]),
    ...(wording === undefined
      ? []
      : [html`<p dir="auto"${languageMark(texts, feed.language)}>${linkedText(wording)}</p>`]),
    html`<p>${signUp.intro}</p>`,
  ]
  return new Html(lines.map(({ text }) => `  ${text}`).join('\n'))
}

const embeddedField = (texts: Texts, { language }: Feed, field: FeedField): Html => {
  const control = fieldControl(field, { texts, language, value: undefined, required: field.required })
  const mark = requiredMark(texts, field.required)
  const label = html`<span dir="auto">${fieldLabel(texts, field, language)}</span>`
  return field.type === 'boolean'
    ? html`<p><label>${control} ${label}${mark}</label></p>`
    : html`<p><label>${label}${mark} ${control}</label></p>`
}

/** Its colours are two properties, by default those of the feed, and the rest follows the site around it. */
const styleOf = ({ face: { accent = '#1b5583' } }: Feed): Html =>
  new Html(`<style>
  .rollcall-form { --accent: ${accent}; --on-accent: ${textOn(accent)}; max-width: 28rem; font: inherit; color: inherit; }
  .rollcall-form p { margin: 0 0 1rem; }
  .rollcall-form label { display: block; font-weight: 600; }
  .rollcall-form .required { font-weight: 400; }
  .rollcall-form input:not([type=hidden]):not([type=checkbox]), .rollcall-form select {
    display: block; box-sizing: border-box; width: 100%; min-height: 2.75rem; margin: .375rem 0 0; padding: .5rem .75rem;
    font: inherit; font-weight: 400; color: inherit; background: transparent; border: 1px solid currentColor; border-radius: .5rem;
  }
  .rollcall-form button {
    width: 100%; min-height: 2.75rem; padding: .5rem 1.5rem; font: inherit; font-weight: 600; cursor: pointer;
    color: var(--on-accent); background: var(--accent); border: 2px solid transparent; border-radius: .5rem;
  }
  .rollcall-form :focus-visible { outline: 3px solid #b45309; outline-offset: 2px; }
</style>
`)
