import type { PublicFeed } from '@rollcall/core'
import { challengeAttributes } from './challenge.ts'
import { type Html, html } from './html.ts'
import { directionOf, languageMark, type Texts } from './language.ts'
import { linkedText } from './linked-text.ts'

/**
 * The sign-up form for somebody else's page, as little as it takes: no script, and no style that a policy of that page
 * might forbid. Where a challenge is to be solved, the script that does it is part of it.
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
