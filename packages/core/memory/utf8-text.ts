/** The text of these bytes; undefined where they are not UTF-8. */
export const utf8Text = (bytes: readonly number[]): string | undefined => {
  const escaped = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  try {
    return decodeURIComponent(escaped)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
