import type { PublicFeed } from '@rollcall/core'
import { challengeAttributes } from './form.ts'
import { type Html, html, linkedText } from './html.ts'
import { directionOf, languageMark, type Texts } from './language.ts'

/**
 * The sign-up form for a page of another site: as small as possible, without a style or script that the policy of that
 * site might forbid. If a challenge is required, it includes the script that solves it.
 */
export const signUpSnippet = (
  texts: Texts,
  feed: PublicFeed,
  publicUrl: string,
  { returnTo, challenge = false }: { readonly returnTo?: string | undefined; readonly challenge?: boolean | undefined },
): Html => {
  const { signUp, language } = texts
  const wording = feed.wording
    ? html`
  <p dir="auto"${languageMark(texts, feed.language)}>${linkedText(feed.wording)}</p>`
    : undefined
  const back = returnTo
    ? html`
  <input name="return_to" type="hidden" value="${returnTo}">`
    : undefined
  return html`<form method="post" action="${publicUrl}/subscribe" lang="${language}" dir="${directionOf(language)}"${challenge ? challengeAttributes(texts, `${publicUrl}/challenge`) : undefined}>
  <p><label>${signUp.email} <input name="email" type="email" autocomplete="email" required></label></p>
  <p hidden><label>${signUp.trap} <input name="website" type="text" tabindex="-1" autocomplete="off"></label></p>
  <input name="feed" type="hidden" value="${feed.name}">
  <input name="locale" type="hidden" value="${language}">${back}${wording}
  <p><button type="submit">${signUp.submit}</button></p>
</form>${
    challenge
      ? html`
<script src="${publicUrl}/challenge.js" defer></script>`
      : undefined
  }`
}
