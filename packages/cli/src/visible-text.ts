// Controls, bidirectional overrides, line separators, halves of surrogate pairs: a terminal acts on them, or shows
// the text in another order than it has.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its job
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The text with everything that a terminal would act on written as an escape such as `\u001b`. */
export const visible = (text: string): string => text.replace(UNSAFE, escaped)

/** JSON on one line, and as harmless to a terminal: the escapes mean the same characters to a parser. */
export const visibleJson = (value: unknown): string => visible(JSON.stringify(value))
