const LONGEST = 500
/** Relays may say anything at any length; and what is matched must be bounded before it is matched. */
const LONGEST_READ = 1_000
const ADDRESS = /[^\s<>"(),:;[\]]+@[^\s<>"(),:;[\]]*/g

/**
 * What a mail failed of, for an operator to read. Relays like to repeat the address, which must not outlive its
 * subscription: every one is left out, and so is a word that was cut and may have been one.
 */
export const describeFailure = (error: unknown): string => {
  const said = error instanceof Error ? error.message : String(error)
  const read = said.length > LONGEST_READ ? said.slice(0, LONGEST_READ).replace(/\S*$/, '') : said
  return legible(read.replace(ADDRESS, '<address>')).slice(0, LONGEST).toWellFormed().trim()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
const legible = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
