import de from './languages/de.json' with { type: 'json' }
import en from './languages/en.json' with { type: 'json' }
import es from './languages/es.json' with { type: 'json' }
import fr from './languages/fr.json' with { type: 'json' }
import type { Texts } from './texts.ts'

export type { Texts }

/** Texts by language tag in lower case. */
export type Languages = ReadonlyMap<string, Texts>

/** What is spoken where nothing better is known. */
export const LAST_RESORT: Texts = en

export const SHIPPED_LANGUAGES: Languages = new Map([en, de, fr, es].map((texts) => [texts.language, texts]))
