import { LAST_RESORT, type Texts } from './languages.ts'
import { PagesNotUsable } from './pages-not-usable.ts'

interface Tree {
  readonly [key: string]: string | Tree
}

/**
 * The texts of a file, with those of another language where it has none.
 * @throws {PagesNotUsable} naming the file and the key that is not what it must be
 */
export const textsIn = (file: string, json: string, others: Texts): Texts =>
  // What has the keys of the English texts, each with a text, is one more of them.
  merged(file, parsed(file, json), others, LAST_RESORT, []) as unknown as Texts

const parsed = (file: string, json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new PagesNotUsable(`${file} is no JSON. Correct it: ${(error as Error).message.replace(/\s+/g, ' ')}.`, {
      cause: error,
    })
  }
}

const merged = (file: string, given: unknown, others: Tree, model: Tree, path: readonly string[]): Tree => {
  const refuse = (key: string | undefined, problem: string): never => {
    const place = key === undefined ? path : [...path, key]
    throw new PagesNotUsable(`${file}: ${place.length === 0 ? 'it' : `'${place.join('.')}'`} ${problem}`)
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse(undefined, 'must be an object with texts in it.')
  const texts: Record<string, string | Tree> = { ...others }
  for (const [key, value] of Object.entries(given)) {
    const like = Object.hasOwn(model, key) ? model[key] : undefined
    if (like === undefined) return refuse(key, `is not known. Use one of ${Object.keys(model).join(', ')}.`)
    if (typeof like === 'object') texts[key] = merged(file, value, others[key] as Tree, like, [...path, key])
    else if (typeof value !== 'string' || value.trim() === '') return refuse(key, 'must be a text.')
    else {
      const gap = gapsIn(value).find((one) => !gapsIn(like).includes(one))
      if (gap !== undefined) return refuse(key, `has no value for ${gap}. Use ${gapsIn(like).join(', ') || 'none'}.`)
      texts[key] = value
    }
  }
  return texts
}

const gapsIn = (text: string): readonly string[] => text.match(/\{\w+\}/g) ?? []
