import type { Random } from '../../proving/shared/random.ts'
import { NAUGHTY } from './dictionary.ts'

const INTERESTING = [0x00, 0x09, 0x0a, 0x0d, 0x20, 0x22, 0x25, 0x2c, 0x3a, 0x3b, 0x5c, 0x7f, 0x80, 0xc0, 0xed, 0xff]

/** The same bytes, but for a few changes. */
export const mutated = (random: Random, bytes: Buffer, most = 6): Buffer => {
  let result = bytes
  for (let changes = random.few(most); changes > 0; changes--) result = changedOnce(random, result)
  return result
}

export const mutatedText = (random: Random, text: string): string =>
  mutated(random, Buffer.from(text, 'utf8'), 3).toString('utf8')

const changedOnce = (random: Random, bytes: Buffer): Buffer => {
  const at = random.below(bytes.length + 1)
  const length = Math.min(bytes.length - at, random.few(12))
  const before = bytes.subarray(0, at)
  const after = bytes.subarray(at + length)
  switch (random.below(8)) {
    case 0:
      return withByte(bytes, at, (bytes[at] ?? 0) ^ (1 << random.below(8)))
    case 1:
      return withByte(bytes, at, random.pick(INTERESTING))
    case 2:
      return Buffer.concat([before, after])
    case 3:
      return Buffer.concat([before, random.bytes(length), after])
    case 4:
      return Buffer.concat([before, Buffer.from(random.pick(NAUGHTY)), bytes.subarray(at)])
    case 5:
      return Buffer.concat([
        bytes.subarray(0, at + length),
        ...Array(random.few(40)).fill(bytes.subarray(at)),
      ]).subarray(0, 20_000)
    case 6:
      return before
    default:
      return moved(random, bytes, at, length)
  }
}

const withByte = (bytes: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(bytes)
  if (at < copy.length) copy[at] = value
  return copy
}

const moved = (random: Random, bytes: Buffer, at: number, length: number): Buffer => {
  const piece = bytes.subarray(at, at + length)
  const rest = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
  const to = random.below(rest.length + 1)
  return Buffer.concat([rest.subarray(0, to), piece, rest.subarray(to)])
}
