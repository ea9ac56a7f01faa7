import type { Line } from './line.ts'
import { LineCutter } from './line-cutter.ts'

export type Lines = AsyncGenerator<readonly Line[], undefined>

/**
 * The lines of a UTF-8 text in stretches, as they come in.
 * @throws {MalformedRequest} it is UTF-16
 */
export async function* textLines(body: AsyncIterable<Uint8Array>): Lines {
  const cutter = new LineCutter()
  for await (const chunk of body) {
    const lines = cutter.take(chunk)
    if (lines.length > 0) yield lines
  }
  const last = cutter.end()
  if (last.length > 0) yield last
  return undefined
}

/** What was taken already, and what comes after; whoever stops on the way lets go of the body. */
export async function* resumed(taken: readonly Line[], rest: Lines): AsyncGenerator<readonly Line[]> {
  try {
    if (taken.length > 0) yield taken
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
