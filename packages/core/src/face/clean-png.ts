/** What a picture consists of and how it is shown. Everything else (texts, times, cameras, animation) is left out. */
const KEPT: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'pHYs'])
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** Pixels of either side: a small file may be a picture that fills a reader's memory. */
export const LONGEST_SIDE = 2_000

export const isPng = (bytes: Uint8Array): boolean => SIGNATURE.every((byte, at) => bytes[at] === byte)

/**
 * The picture alone; or what is wrong with it.
 * @see https://www.w3.org/TR/png-3/#5DataRep
 */
export const cleanPng = (bytes: Uint8Array): Uint8Array | { readonly problem: string } => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept = [bytes.subarray(0, SIGNATURE.length)]
  const types: string[] = []
  let at = SIGNATURE.length
  // A length, a type of four letters, the data, and a checksum.
  while (at + 12 <= bytes.length && types.at(-1) !== 'IEND') {
    const end = at + 12 + view.getUint32(at)
    if (end > bytes.length) return BROKEN
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (type === 'IHDR') {
      const [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)]
      if (end !== at + 25 || types.length > 0 || width === 0 || height === 0) return BROKEN
      if (Math.max(width, height) > LONGEST_SIDE)
        return { problem: `The picture has ${width}x${height} pixels. Use at most ${LONGEST_SIDE} by ${LONGEST_SIDE}.` }
    }
    types.push(type)
    if (KEPT.has(type)) kept.push(bytes.subarray(at, end))
    // An upper-case letter first: without it the picture cannot be shown.
    else if (/^[A-Z]/.test(type)) return BROKEN
    at = end
  }
  if (types[0] !== 'IHDR' || types.at(-1) !== 'IEND' || !types.includes('IDAT')) return BROKEN
  const clean = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0))
  let to = 0
  for (const part of kept) {
    clean.set(part, to)
    to += part.length
  }
  return clean
}

const BROKEN = { problem: 'The file begins like a PNG and is not a whole one. Save the picture again.' }
