import type { Context } from '../exchange.ts'
import de from './languages/de.json' with { type: 'json' }
import en from './languages/en.json' with { type: 'json' }
import es from './languages/es.json' with { type: 'json' }
import fr from './languages/fr.json' with { type: 'json' }

/** Everything that pages say, in one language. */
export type Texts = typeof en

export const LANGUAGES: ReadonlyMap<string, Texts> = new Map([en, de, fr, es].map((texts) => [texts.language, texts]))

/** The texts for the first of the preferred language tags that there are some for; else what the client accepts. */
export const languageOf = (ctx: Context, ...preferred: readonly (string | undefined)[]): Texts => {
  for (const tag of preferred) {
    const texts = tag === undefined ? undefined : LANGUAGES.get(tag.toLowerCase().split('-')[0] ?? '')
    if (texts !== undefined) return texts
  }
  const accepted = ctx.acceptsLanguages([...LANGUAGES.keys()])
  return (accepted && LANGUAGES.get(accepted)) || en
}

/** The text with its gaps filled, such as `{feed}`. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (gap, name: string) => values[name] ?? gap)
