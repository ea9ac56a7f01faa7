import type { Line } from './line.ts'
import { LineCutter } from './line-cutter.ts'

/**
 * The lines of a UTF-8 text in stretches, as they come in.
 * @throws {MalformedRequest} it is UTF-16
 */
export async function* textLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[], undefined> {
  const cutter = new LineCutter()
  for await (const chunk of body) {
    const lines = cutter.take(chunk)
    if (lines.length > 0) yield lines
  }
  const last = cutter.end()
  if (last.length > 0) yield last
  return undefined
}
