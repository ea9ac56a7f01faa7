const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** @see RFC 4648 section 4 */
export const base64Of = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two, three] = bytes.subarray(at, at + 3)
    const bits = (one << 16) | ((two ?? 0) << 8) | (three ?? 0)
    const digit = (shift: number) => DIGITS.charAt((bits >> shift) & 63)
    text += `${digit(18)}${digit(12)}${two === undefined ? '=' : digit(6)}${three === undefined ? '=' : digit(0)}`
  }
  return text
}

/** The text that these bytes are in UTF-8; undefined if they are not UTF-8. */
export const textFromUtf8 = (bytes: Uint8Array): string | undefined => {
  let escaped = ''
  for (const byte of bytes) escaped += `%${byte.toString(16).padStart(2, '0')}`
  try {
    return decodeURIComponent(escaped)
  } catch {
    return undefined
  }
}

export const utf8Of = (text: string): Uint8Array => {
  const escaped = encodeURIComponent(text)
  const bytes: number[] = []
  for (let at = 0; at < escaped.length; at++) {
    const isEscape = escaped.charAt(at) === '%'
    bytes.push(isEscape ? Number.parseInt(escaped.slice(at + 1, at + 3), 16) : escaped.charCodeAt(at))
    if (isEscape) at += 2
  }
  return new Uint8Array(bytes)
}
