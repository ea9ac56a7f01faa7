import { type Languages, SHIPPED_LANGUAGES } from './languages.ts'
import { type Style, styleOf } from './style.ts'

/** Which languages pages speak, and what they look like. */
export interface Pages {
  readonly languages: Languages
  readonly style: Style
}

/** As they come. */
export const SHIPPED_PAGES: Pages = { languages: SHIPPED_LANGUAGES, style: styleOf() }
