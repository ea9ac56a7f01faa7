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

/** As Chromium writes them, or as they are written here: eight bits a channel, not interlaced. */
const read = (png: Buffer) => {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const channels = ({ 2: 3, 3: 1, 6: 4 } as Readonly<Record<number, number>>)[png[25] ?? 0] ?? 3
  const parts: Buffer[] = []
  let palette: Buffer | undefined
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') parts.push(data)
    if (type === 'PLTE') palette = data
  }
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
  return { width, height, channels, pixels, palette }
}

const paeth = (left: number, up: number, corner: number): number => {
  const guess = left + up - corner
  const [a, b, c] = [left, up, corner].map((each) => Math.abs(guess - each)) as [number, number, number]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** Pixels on a side of what is compared: letters are drawn a little otherwise on each machine, and stand elsewhere by a pixel. */
const BLOCK = 8
/** Of 255: what an eye takes for another colour. */
const SEEN = 20

/** The mean colours of the blocks of a picture, row by row. */
const blocksOf = (png: Buffer) => {
  const { width, height, channels, pixels, palette } = read(png)
  const [across, down] = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)]
  const sums = new Float64Array(across * down * 3)
  const sizes = new Float64Array(across * down)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels
      const block = Math.floor(y / BLOCK) * across + Math.floor(x / BLOCK)
      sizes[block] = (sizes[block] ?? 0) + 1
      for (let c = 0; c < 3; c++) {
        const value = palette === undefined ? pixels[at + c] : palette[(pixels[at] ?? 0) * 3 + c]
        sums[block * 3 + c] = (sums[block * 3 + c] ?? 0) + (value ?? 0)
      }
    }
  return { across, down, means: sums.map((sum, i) => sum / (sizes[Math.floor(i / 3)] ?? 1)) }
}

/** Which share of two pictures an eye takes for different: from 0 to 1. */
export const differenceOf = (one: Buffer, other: Buffer): number => {
  const [a, b] = [blocksOf(one), blocksOf(other)]
  if (a.across !== b.across || a.down !== b.down) return 1
  let different = 0
  for (let block = 0; block < a.across * a.down; block++)
    if ([0, 1, 2].some((c) => Math.abs((a.means[block * 3 + c] ?? 0) - (b.means[block * 3 + c] ?? 0)) > SEEN))
      different++
  return different / (a.across * a.down)
}
