import { hash } from 'node:crypto'
import { IdLines, type IdListOptions, InvalidInput } from '@rollcall/core'

/** A list that cannot be read; `message` says where and what to do. */
export class IdListUnreadable extends Error {}

/** How the list is read, and what to do about columns beside the ids. */
export interface OtherColumns extends IdListOptions {
  /** Called with all that are not used. */
  readonly onOthers?: ((names: readonly string[]) => Promise<void>) | undefined
}

/**
 * The ids of a list: one a line, the column `id` of CSV whose first line names its columns, or those of JSON. A row
 * without an id gives an empty string.
 * @throws {IdListUnreadable} it is CSV without such a column, with one that may say who is meant, or broken
 */
export async function* idList(
  chunks: AsyncIterable<Uint8Array | string>,
  { onOthers, ...options }: OtherColumns = {},
): AsyncGenerator<string> {
  const lines = new IdLines(options)
  let areOthersTold = false
  const tellOthers = async (): Promise<void> => {
    if (areOthersTold || lines.others.length === 0) return
    areOthersTold = true
    await onOthers?.(lines.others)
  }
  try {
    for await (const line of textLines(chunks)) {
      const id = lines.take(line)
      await tellOthers()
      if (id !== undefined) yield id
    }
    const rest = lines.end()
    await tellOthers()
    yield* rest
  } catch (error) {
    if (error instanceof RangeError)
      throw new IdListUnreadable(`Line ${lines.line + 1}: ${error.message}`, { cause: error })
    if (!(error instanceof InvalidInput)) throw error
    throw new IdListUnreadable(error.details.map(({ message }) => message).join(' '), { cause: error })
  }
}

/** The limit bounds memory; a list that is JSON may be one line. */
const LONGEST = 16 * 1024 * 1024

/**
 * UTF-8 chunks as lines, without their ends (LF or CRLF) and without a byte order mark.
 * @throws {RangeError} the line after the last one is too long
 */
export async function* textLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield withoutReturn(line)
    if (rest.length > LONGEST) throw new RangeError('A line is too long to hold an id.')
  }
  rest += decoder.decode()
  if (rest !== '') yield withoutReturn(rest)
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

const MOST = 1_000_000
/** Of a longer one, the digest is remembered. */
const LONGEST_REMEMBERED = 64

/** Finds repetitions among the first million different ids of a list, so that its memory is bounded however long it is. */
export class SeenIds {
  readonly #seen = new Set<string>()

  /** Whether the id is new; if so it is remembered. */
  add(id: string): boolean {
    const key = id.length > LONGEST_REMEMBERED ? hash('sha256', id) : id
    if (this.#seen.has(key)) return false
    if (this.#seen.size < MOST) this.#seen.add(key)
    return true
  }
}
