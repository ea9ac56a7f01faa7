const [LINE_END, QUOTE] = [10, 34]

/** Counts the records of a file that comes in pieces: its lines, but for line ends inside the quotation marks of CSV. */
export class RecordEnds {
  readonly #isQuotable: boolean
  #isQuoted = false
  #lines = 0

  constructor(format: string) {
    this.#isQuotable = format === 'csv'
  }

  /** Without the first line of CSV, which names the columns. */
  get records(): number {
    return this.#isQuotable ? Math.max(0, this.#lines - 1) : this.#lines
  }

  /** How much of this piece belongs to records that are whole by now. */
  take(piece: Uint8Array): number {
    let whole = 0
    for (let at = 0; at < piece.length; at++) {
      if (this.#isQuotable && piece[at] === QUOTE) this.#isQuoted = !this.#isQuoted
      if (piece[at] !== LINE_END || this.#isQuoted) continue
      this.#lines++
      whole = at + 1
    }
    return whole
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
