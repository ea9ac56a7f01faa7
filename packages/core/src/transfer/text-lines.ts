import { textFromUtf8, utf8Of } from '../bytes.ts'
import { MalformedRequest } from '../errors.ts'

/** A line of a file, without its end. */
export interface Line {
  /** 1 for the first. */
  readonly number: number
  readonly text: string
  /** Why its text is of no use; undefined if it is. */
  readonly problem: string | undefined
  /** Whether the file ends in the midst of it: it may have been cut off. */
  readonly isOpen: boolean
}

/** Bytes that one row may have. */
export const LONGEST_ROW = 64 * 1024

export const isBlank = ({ text, problem }: Line): boolean => problem === undefined && text.trim() === ''

export type Lines = AsyncGenerator<readonly Line[], undefined>

/**
 * The lines of a UTF-8 text in stretches, as they come in.
 * @throws {MalformedRequest} it is UTF-16, or a spreadsheet's own file
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

/** Rows of what was taken already, and of what comes after; a consumer that stops early closes the body. */
export async function* rowsOf<Row>(
  taken: readonly Line[],
  rest: Lines,
  rows: { take(lines: readonly Line[]): Iterable<Row>; end?(): Iterable<Row> },
): AsyncGenerator<Iterable<Row>> {
  try {
    if (taken.length > 0) yield rows.take(taken)
    for await (const lines of rest) yield rows.take(lines)
    if (rows.end !== undefined) yield rows.end()
  } finally {
    await rest.return(undefined)
  }
}

const LF = 0x0a
const CR = 0x0d
const BYTE_ORDER_MARK = '\ufeff'

const TOO_LONG = 'This row is longer than 64 KiB. Shorten it.'
const NOT_UTF8 = 'This row is not UTF-8. Save the file as UTF-8.'
const HAS_NUL = 'This row has a NUL character. Remove it.'

/** Cuts chunks of bytes into lines; keeps no more than the one that is not at its end, and of that only so much. */
class LineCutter {
  #rest: Uint8Array[] = []
  #restLength = 0
  #restTooLong = false
  #lines = 0
  // The chunk ended with CR: an LF that comes next belongs to it.
  #afterReturn = false

  /**
   * The lines that are at their end.
   * @throws {MalformedRequest} the file is UTF-16, or a spreadsheet's own
   */
  take(chunk: Uint8Array): Line[] {
    if (chunk.length === 0) return []
    let bytes = chunk
    if (this.#afterReturn && bytes[0] === LF) bytes = bytes.subarray(1)
    this.#afterReturn = bytes.at(-1) === CR
    const end = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1
    const lines = end === 0 ? [] : this.#cut(bytes.subarray(0, end))
    this.#keep(bytes.subarray(end))
    return lines
  }

  /** The last line, if it has no end. */
  end(): Line[] {
    return this.#restLength === 0 && !this.#restTooLong ? [] : this.#cut(Uint8Array.of(LF), true)
  }

  #keep(bytes: Uint8Array): void {
    this.#restTooLong ||= this.#restLength + bytes.length > LONGEST_ROW
    if (this.#restTooLong) this.#rest = []
    else if (bytes.length > 0) this.#rest.push(bytes)
    this.#restLength = this.#restTooLong ? 0 : this.#restLength + bytes.length
  }

  #cut(bytes: Uint8Array, isOpen = false): Line[] {
    const block = this.#rest.length === 0 ? bytes : joined([...this.#rest, bytes])
    const beginsTooLong = this.#restTooLong
    if (this.#lines === 0 && !beginsTooLong) refuseOthers(block)
    this.#rest = []
    this.#restLength = 0
    this.#restTooLong = false
    const texts = textsIn(block)
    return texts.map((text, index) => {
      const number = ++this.#lines
      if (index === 0 && beginsTooLong) return { number, text: '', problem: TOO_LONG, isOpen }
      return { number, isOpen, ...lineOf(number === 1 && text?.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text) }
    })
  }
}

/** The texts of the lines, all of which are at their end; undefined for one that is not UTF-8. */
const textsIn = (block: Uint8Array): (string | undefined)[] => {
  const texts: (string | undefined)[] = []
  for (let start = 0, at = 0; at < block.length; at++) {
    if (block[at] !== LF && block[at] !== CR) continue
    texts.push(textFromUtf8(block.subarray(start, at)))
    if (block[at] === CR && block[at + 1] === LF) at++
    start = at + 1
  }
  return texts
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

const lineOf = (text: string | undefined): Pick<Line, 'text' | 'problem'> => {
  if (text === undefined) return { text: '', problem: NOT_UTF8 }
  if (isTooLong(text)) return { text: '', problem: TOO_LONG }
  if (text.includes('\0')) return { text: '', problem: HAS_NUL }
  return { text, problem: undefined }
}

// A UTF-16 code unit is three bytes of UTF-8 at most.
const isTooLong = (text: string): boolean => text.length * 3 > LONGEST_ROW && utf8Of(text).length > LONGEST_ROW

/** With these, files begin that are packed: a workbook or an archive, a workbook of old, and what gzip makes. */
const PACKED = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x1f, 0x8b],
]

const refuseOthers = (block: Uint8Array): void => {
  const [first, second] = block
  if (PACKED.some((begins) => begins.every((byte, at) => block[at] === byte)))
    throw new MalformedRequest(
      'This file is a workbook or an archive, not text. Unpack it, or save the sheet as CSV, and send that.',
    )
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (marked || first === 0 || second === 0)
    throw new MalformedRequest('This file is not UTF-8; it looks like UTF-16. Save it as UTF-8, and send it again.')
}
