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

const FIRST_CAPACITY = 1 << 12
const MOST = 1_000_000
/** 32-bit words of a fingerprint. */
const WORDS = 4

/**
 * Finds repetitions in a list of any length, in at most 48 MiB: it keeps 128 bits of the SHA-256 of each of the first
 * million different ids, so that no two of them are ever mistaken for one.
 */
export class SeenIds {
  // Open addressing; four zeros are an empty slot.
  #slots = new Uint32Array(FIRST_CAPACITY * WORDS)
  #size = 0

  /** Whether the id is new; if so it is remembered. */
  add(id: string): boolean {
    const print = fingerprint(id)
    const at = slotOf(this.#slots, print)
    if (!isEmpty(this.#slots, at)) return false
    if (this.#size >= MOST) return true
    this.#slots.set(print, at)
    if (++this.#size * 2 > this.#slots.length / WORDS) this.#grow()
    return true
  }

  #grow(): void {
    const [slots, larger] = [this.#slots, new Uint32Array(this.#slots.length * 2)]
    for (let at = 0; at < slots.length; at += WORDS) {
      if (isEmpty(slots, at)) continue
      const print = slots.subarray(at, at + WORDS)
      larger.set(print, slotOf(larger, print))
    }
    this.#slots = larger
  }
}

/** Where the fingerprint is, or would be. */
const slotOf = (slots: Uint32Array, print: Uint32Array): number => {
  let at = (word(print, 0) * WORDS) % slots.length
  while (!isEmpty(slots, at) && !isAt(slots, at, print)) at = (at + WORDS) % slots.length
  return at
}

const word = (words: Uint32Array, at: number): number => words[at] ?? 0

const EMPTY = new Uint32Array(WORDS)

const isEmpty = (slots: Uint32Array, at: number): boolean => isAt(slots, at, EMPTY)

const isAt = (slots: Uint32Array, at: number, print: Uint32Array): boolean =>
  word(slots, at) === word(print, 0) &&
  word(slots, at + 1) === word(print, 1) &&
  word(slots, at + 2) === word(print, 2) &&
  word(slots, at + 3) === word(print, 3)

const print = new Uint32Array(WORDS)

/** The next call writes over it. */
const fingerprint = (text: string): Uint32Array => {
  // A text of 32 characters, one for each byte: a buffer would be memory outside the heap for every id.
  const digest = hash('sha256', text, 'binary')
  for (let at = 0; at < WORDS; at++) {
    const from = at * 4
    const [high, low] = [digest.charCodeAt(from) * 256 + digest.charCodeAt(from + 1), digest.charCodeAt(from + 2)]
    print[at] = high * 65_536 + low * 256 + digest.charCodeAt(from + 3)
  }
  return print
}
