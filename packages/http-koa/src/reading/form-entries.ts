// Bytes beyond ASCII become percent escapes, because the parser has to decode bytes, not characters.
const NON_ASCII = /[\u0080-\u00ff]/g
const escapeByte = (byte: string): string => `%${byte.charCodeAt(0).toString(16)}`

/**
 * The names and values of a form or a query, flat and in order. Never fails: invalid escapes stay as they are, and bytes
 * that are not UTF-8 become U+FFFD.
 * @param binary one character per byte
 * @see https://url.spec.whatwg.org/#concept-urlencoded-parser
 */
export const formEntries = (binary: string): Iterable<[string, string]> =>
  // The ampersand keeps URLSearchParams from dropping a leading question mark; it ignores the empty pair.
  new URLSearchParams(`&${binary.replace(NON_ASCII, escapeByte)}`)
