import { type Html, type HtmlValue, html } from './html.ts'

/** Texts by their keys, in a tree. */
export interface TextTree {
  readonly [key: string]: string | TextTree
}

interface MergeOptions {
  /** Has every key that there may be, and in each text the placeholders that it may have. */
  readonly model: TextTree
  /** What is taken for keys that were not given; the model if it is left out. */
  readonly fallback?: TextTree
  /** Called with what is wrong, as a sentence. */
  readonly refuse: (problem: string) => never
}

/** The texts that a deployer gave, and for those that are not there, the ones of the fallback. */
export const mergedTexts = (given: unknown, { model, fallback = model, refuse }: MergeOptions): TextTree =>
  merged(given, model, fallback, (place, problem) =>
    refuse(`${place.length === 0 ? 'it' : `'${place.join('.')}'`} ${problem}`),
  )

type Refuse = (place: readonly string[], problem: string) => never

const merged = (given: unknown, model: TextTree, fallback: TextTree, refuse: Refuse): TextTree => {
  const texts: Record<string, string | TextTree> = { ...fallback }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse([], 'must be an object with texts in it.')
  for (const [key, value] of Object.entries(given)) {
    const like = Object.hasOwn(model, key) ? model[key] : undefined
    if (like === undefined) return refuse([key], `is not known. Use one of ${Object.keys(model).join(', ')}.`)
    if (typeof like === 'object')
      texts[key] = merged(value, like, fallback[key] as TextTree, (place, problem) => refuse([key, ...place], problem))
    else if (typeof value !== 'string' || value.trim() === '') return refuse([key], 'must be a text.')
    else {
      const unknown = placeholdersIn(value).find((one) => !placeholdersIn(like).includes(one))
      if (unknown !== undefined)
        return refuse([key], `has no value for ${unknown}. Use ${placeholdersIn(like).join(', ') || 'none'}.`)
      texts[key] = value
    }
  }
  return texts
}

const placeholdersIn = (text: string): readonly string[] => text.match(/\{\w+\}/g) ?? []

/** A text with its placeholders, such as `{count}`, replaced; the values may be markup. */
export const fillMarkup = (text: string, values: Readonly<Record<string, HtmlValue>>): Html =>
  html`${text.split(/\{(\w+)\}/).map((part, i) => html`${i % 2 === 0 ? part : Object.hasOwn(values, part) ? values[part] : `{${part}}`}`)}`
