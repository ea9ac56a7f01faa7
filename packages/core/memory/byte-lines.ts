import { MalformedRequest } from '../src/index.ts'
import { utf8Text } from './utf8-text.ts'

const LF = 0x0a
const CR = 0x0d

/** The lines of a file in stretches, as they come; undefined for one that is not UTF-8. */
export async function* byteLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<(string | undefined)[], undefined> {
  let rest: number[] = []
  let before = 0
  let isFirst = true
  for await (const chunk of body) {
    const lines: number[][] = []
    for (const byte of chunk) {
      if (byte === CR || (byte === LF && before !== CR)) {
        lines.push(rest)
        rest = []
      } else if (byte !== LF) rest.push(byte)
      before = byte
    }
    if (lines.length === 0) continue
    yield lines.map((line, index) => textOf(line, isFirst && index === 0))
    isFirst = false
  }
  if (rest.length > 0) yield [textOf(rest, isFirst)]
  return undefined
}

const textOf = (line: readonly number[], isFirst: boolean): string | undefined => {
  if (!isFirst) return utf8Text(line)
  const [first, second] = line
  if (first === 0 || second === 0 || first === 0xff || first === 0xfe)
    throw new MalformedRequest('This file is not UTF-8. Save it as UTF-8, and send it again.')
  return utf8Text(line)?.replace(/^\ufeff/, '')
}
