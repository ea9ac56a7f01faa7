import { InvalidInput } from './errors.ts'

// C0, DEL and C1: they have no place in a name or an address, and header injection begins with them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its job
export const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

// White space, and the marks that are not seen: they come along where a text is copied.
const MARGIN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]/u

/** The text without white space, zero-width, byte-order and bidi marks at its ends. */
export const withoutMargins = (text: string): string => {
  let from = 0
  let to = text.length
  while (from < to && MARGIN.test(text.charAt(from))) from++
  while (from < to && MARGIN.test(text.charAt(to - 1))) to--
  return text.slice(from, to)
}

export const hasControlCharacter = (text: string): boolean => CONTROL.test(text)

/** The text as one word of a command line, to be copied to a shell. */
export const shellWord = (text: string): string =>
  /^[\p{L}\p{N}_.@:/][\p{L}\p{N}_.@:/-]*$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Length in Unicode code points; unpaired surrogates count as one each. */
export const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** The problem with a text that a person typed; undefined if there is no problem. */
export const problemWithText = (text: string, longest: number): string | undefined => {
  if (text.length > 2 * longest || codePoints(text) > longest) return `Use at most ${longest} characters.`
  if (!text.isWellFormed()) return 'Remove the broken characters (unpaired surrogates).'
  if (hasControlCharacter(text)) return 'Remove the control characters (line breaks, tabs and the like).'
  return undefined
}

/**
 * A text that a person typed, kept exactly.
 * @throws {InvalidInput} it is too long, or has a control character or an unpaired surrogate
 */
export const parseText = (field: string, text: string, longest: number): string => {
  const message = problemWithText(text, longest)
  if (message !== undefined) throw new InvalidInput([{ field, message }])
  return text
}

/**
 * A name as a person wrote it, kept exactly; empty if not given.
 * @throws {InvalidInput} over 200 code points, a control character, or an unpaired surrogate
 */
export const parsePersonName = (name: string): string => parseText('name', name, 200)

/** @throws {InvalidInput} it is not one of these */
export const parseOneOf = <T extends string>(field: string, text: string, choices: readonly T[]): T => {
  const chosen = choices.find((choice) => choice === text)
  if (chosen !== undefined) return chosen
  throw new InvalidInput([{ field, message: `Use one of these: ${choices.join(', ')}.` }])
}
