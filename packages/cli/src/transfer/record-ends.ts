const [LINE_FEED, CARRIAGE_RETURN, QUOTE] = [10, 13, 34]
/** What a quotation mark opens a field after. */
const BEFORE_FIELD: ReadonlySet<number> = new Set([LINE_FEED, CARRIAGE_RETURN, ...Buffer.from(',;\t')])
/** What a byte-order mark is made of, and UTF-16 has between letters. */
const isNoLetter = (byte: number): boolean =>
  byte === 0 || byte >= 0xfe || byte === 0xef || byte === 0xbb || byte === 0xbf

/** Counts the records of a file that comes in pieces: its lines, but for line ends inside the quotation marks of CSV. */
export class RecordEnds {
  readonly #isCsv: boolean
  #isQuoted = false
  /** The last letter; at first, as if a line had ended. */
  #last = LINE_FEED
  /** Whether that closed a field: a mark behind it opens it again. */
  #hasClosed = false
  #lines = 0

  constructor(format: string) {
    this.#isCsv = format === 'csv'
  }

  /** Without the first line of CSV, which names the columns. */
  get records(): number {
    return this.#isCsv ? Math.max(0, this.#lines - 1) : this.#lines
  }

  /** How much of this piece belongs to records that are whole by now. */
  take(piece: Uint8Array): number {
    let whole = 0
    for (let at = 0; at < piece.length; at++) {
      const letter = piece[at] ?? 0
      if (isNoLetter(letter)) continue
      if (this.#isCsv && letter === QUOTE) this.#quote()
      else this.#hasClosed = false
      if (!this.#isQuoted && this.#ends(letter)) whole = at + 1
      this.#last = letter
    }
    return whole
  }

  /** In the middle of a field without marks, one is a letter as any other. */
  #quote(): void {
    const wasQuoted = this.#isQuoted
    this.#isQuoted = !wasQuoted && (this.#hasClosed || BEFORE_FIELD.has(this.#last))
    this.#hasClosed = wasQuoted
  }

  /** In CSV, a carriage return ends a line by itself, too. */
  #ends(letter: number): boolean {
    if (letter !== LINE_FEED && !(this.#isCsv && letter === CARRIAGE_RETURN)) return false
    if (!(this.#isCsv && letter === LINE_FEED && this.#last === CARRIAGE_RETURN)) this.#lines++
    return true
  }
}

/** The same text; says after each piece how many records have come. */
export async function* countingRecords(
  text: AsyncIterable<string>,
  format: string,
  onRecords: (records: number) => void,
): AsyncGenerator<string> {
  const ends = new RecordEnds(format)
  for await (const piece of text) {
    ends.take(Buffer.from(piece))
    onRecords(ends.records)
    yield piece
  }
}
