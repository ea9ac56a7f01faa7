import type { PublicFeed } from '@rollcall/core'
import { DEFAULT_LANGUAGE, type Languages, textsFor } from './language.ts'
import { layout } from './page.ts'
import { type Pages, SHIPPED_PAGES } from './pages.ts'
import { signUpPage } from './sign-up-page.ts'

/** The sign-up page of a feed as its readers get it, in each language, as a whole document. */
export const createFormPreviews = (publicUrl: string, { languages, style }: Pages = SHIPPED_PAGES) => ({
  languages: [...languages.keys()],
  form: (feed: PublicFeed, language: string): string => {
    const texts = textsFor(languages as Languages, [language]) ?? DEFAULT_LANGUAGE
    return layout(signUpPage(texts, [feed], publicUrl), style)
  },
})
