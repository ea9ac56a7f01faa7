import { type Languages, SHIPPED_LANGUAGES } from './languages.ts'
import { type Style, styleOf } from './style.ts'

/** The languages and the style of pages. */
export interface Pages {
  readonly languages: Languages
  readonly style: Style
}

/** Without changes by the deployer. */
export const SHIPPED_PAGES: Pages = { languages: SHIPPED_LANGUAGES, style: styleOf() }
