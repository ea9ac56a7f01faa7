import { readFileSync } from 'node:fs'
import { OperatorError } from '@rollcall/platform-node'
import SHIPPED from './texts.json' with { type: 'json' }

export type Texts = typeof SHIPPED

export const SHIPPED_TEXTS: Texts = SHIPPED

/** Texts cannot be made of what a deployer gave; `message` names the file and says what to correct. */
export class TextsNotUsable extends OperatorError {
  override readonly name = 'TextsNotUsable'
}

interface Tree {
  readonly [key: string]: string | Tree
}

/**
 * The texts of a file; those that it lacks are the shipped ones.
 * @throws {TextsNotUsable} it cannot be read, or has a text that there is not
 */
export const readTexts = (file: string): Texts => {
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new TextsNotUsable(`${file} cannot be read as JSON. Fix its permissions or what is in it.`, { cause })
  }
  return merged(file, given, SHIPPED, []) as unknown as Texts
}

const merged = (file: string, given: unknown, model: Tree, path: readonly string[]): Tree => {
  const refuse = (key: string, problem: string): never => {
    throw new TextsNotUsable(`${file}: '${[...path, key].join('.')}' ${problem}`)
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return refuse('', 'must be an object.')
  const texts: Record<string, string | Tree> = { ...model }
  for (const [key, value] of Object.entries(given)) {
    const like = Object.hasOwn(model, key) ? model[key] : undefined
    if (like === undefined) return refuse(key, `is not known. Use one of ${Object.keys(model).join(', ')}.`)
    if (typeof like === 'object') texts[key] = merged(file, value, like, [...path, key])
    else if (typeof value !== 'string' || value === '') return refuse(key, 'must be a text.')
    else texts[key] = value
  }
  return texts
}
