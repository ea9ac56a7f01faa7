import de from './languages/de.json' with { type: 'json' }
import en from './languages/en.json' with { type: 'json' }
import es from './languages/es.json' with { type: 'json' }
import fr from './languages/fr.json' with { type: 'json' }
import type { Texts } from './texts.ts'

export type { Texts }

/** Texts by language tag in lower case. */
export type Languages = ReadonlyMap<string, Texts>

/** The language if no preferred one is available. */
export const DEFAULT_LANGUAGE: Texts = en

export const SHIPPED_LANGUAGES: Languages = new Map([en, de, fr, es].map((texts) => [texts.language, texts]))
