import type { ChangePreferencesResult } from '@rollcall/core'
import { feedTitle } from './gaps.ts'
import { type Html, html } from './html.ts'
import { fillMarkup, type Texts } from './language.ts'
import { noticePage } from './notice-page.ts'
import type { Page } from './page.ts'
import { signUpLink } from './sign-up-link.ts'

/** What was done, in a sentence. */
export const preferencesOutcome = (texts: Texts, { action, feed }: ChangePreferencesResult): Html => {
  const gaps = { feed: feed === undefined ? html`` : feedTitle(texts, feed) }
  return fillMarkup(texts.preferences.done[action], gaps)
}

/** What is left to say once everything is erased. */
export const erasedPage = (texts: Texts, publicUrl: string, neverAgain: boolean): Page => {
  const { done, erasedTitle, erasedForGood } = texts.preferences
  return noticePage(texts, 'done', erasedTitle, neverAgain ? erasedForGood : done.erase, signUpLink(texts, publicUrl))
}
