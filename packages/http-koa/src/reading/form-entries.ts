// Bytes beyond ASCII become escapes, so that the parser decodes bytes, as it must, and not somebody's idea of them.
const NON_ASCII = /[\u0080-\u00ff]/g
const escapeByte = (byte: string): string => `%${byte.charCodeAt(0).toString(16)}`

/**
 * The names and values of a form or a query, flat and in order. Never fails: escapes that are none stay as they are,
 * and bytes that are not UTF-8 become U+FFFD.
 * @param binary one character per byte
 * @see https://url.spec.whatwg.org/#concept-urlencoded-parser
 */
export const formEntries = (binary: string): Iterable<[string, string]> =>
  // The ampersand keeps URLSearchParams from dropping a question mark in front; an empty pair counts for nothing.
  new URLSearchParams(`&${binary.replace(NON_ASCII, escapeByte)}`)
