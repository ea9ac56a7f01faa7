import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Each channel to so many steps: pages have few colours, and the edges of letters are the rest. */
const STEP = 17
const MOST_COLOURS = 256

/**
 * The same picture in at most 256 colours, a third as large.
 * @see https://www.w3.org/TR/png-3/
 */
export const smallPng = (png: Buffer): Buffer => {
  const { width, height, channels, pixels } = read(png)
  const palette = new Map<number, number>()
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels
      const [r = 0, g = 0, b = 0] = [0, 1, 2].map((n) => Math.round((pixels[at + n] ?? 0) / STEP) * STEP)
      const colour = (r << 16) | (g << 8) | b
      if (!palette.has(colour) && palette.size < MOST_COLOURS) palette.set(colour, palette.size)
      rows[y * (width + 1) + 1 + x] = palette.get(colour) ?? 0
    }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits, by palette.
  head.set([8, 3, 0, 0, 0], 8)
  const colours = [...palette.keys()].flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(colours)),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** As Chromium writes them: eight bits a channel, not interlaced. */
const read = (png: Buffer) => {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const channels = png[25] === 6 ? 4 : 3
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const rows = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  const pixels = Buffer.alloc(height * stride)
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)] ?? 0
    for (let i = 0; i < stride; i++) {
      const left = i < channels ? 0 : (pixels[y * stride + i - channels] ?? 0)
      const up = y === 0 ? 0 : (pixels[(y - 1) * stride + i] ?? 0)
      const corner = y === 0 || i < channels ? 0 : (pixels[(y - 1) * stride + i - channels] ?? 0)
      const guessed = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
      pixels[y * stride + i] = ((rows[y * (stride + 1) + 1 + i] ?? 0) + guessed) & 255
    }
  }
  return { width, height, channels, pixels }
}

const paeth = (left: number, up: number, corner: number): number => {
  const guess = left + up - corner
  const [a, b, c] = [left, up, corner].map((each) => Math.abs(guess - each)) as [number, number, number]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
