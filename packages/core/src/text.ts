// C0, DEL and C1: they have no place in a name or an address, and header injection begins with them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its job
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

export const hasControlCharacter = (text: string): boolean => CONTROL.test(text)

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
