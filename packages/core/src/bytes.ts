// What every JavaScript runtime has, and the language itself does not: looked for when it is needed, so that all that reads
// no files runs in a bare engine, too.
declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string }
declare const TextEncoder: new () => { encode(text: string): Uint8Array }
declare const btoa: (binary: string) => string

/** @see RFC 4648 section 4 */
export const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** The text that these bytes are in UTF-8; undefined if they are not UTF-8. */
export const textFromUtf8 = (bytes: Uint8Array): string | undefined => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

export const utf8Of = (text: string): Uint8Array => new TextEncoder().encode(text)
