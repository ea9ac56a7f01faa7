import { readFileSync } from 'node:fs'
import { mergedTexts, OperatorError } from '@rollcall/platform-node'
import SHIPPED from './texts.json' with { type: 'json' }

export type Texts = typeof SHIPPED

export const SHIPPED_TEXTS: Texts = SHIPPED

/** Texts cannot be made of what a deployer gave; `message` names the file and says what to correct. */
export class TextsNotUsable extends OperatorError {
  override readonly name = 'TextsNotUsable'
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
  const refuse = (problem: string): never => {
    throw new TextsNotUsable(`${file}: ${problem}`)
  }
  return mergedTexts(given, { model: SHIPPED, refuse }) as unknown as Texts
}
