import type { OutputStream } from './cli-host.ts'

const READER_GONE = new Set(['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED'])

/** An output stream, written to in order and no faster than it is read. Its reader may leave without harm. */
export class Output {
  readonly #stream: OutputStream
  #written: Promise<void> = Promise.resolve()
  #failure: NodeJS.ErrnoException | undefined

  readonly #fail = (error: NodeJS.ErrnoException): void => {
    this.#failure ??= error
  }

  constructor(stream: OutputStream) {
    this.#stream = stream
    stream.on('error', this.#fail)
  }

  /** The reader has left: nothing that is written from now on is read. */
  get closed(): boolean {
    return this.#failure !== undefined
  }

  /** Columns of the terminal; undefined if it leads elsewhere. */
  get width(): number | undefined {
    // A terminal whose size was not set says 0.
    return this.#stream.isTTY === true ? this.#stream.columns || 80 : undefined
  }

  /** Resolves when the stream takes more. */
  async write(text: string): Promise<void> {
    if (this.closed) return
    this.#written = new Promise((resolve) => {
      this.#stream.write(text, (error) => {
        if (error) this.#fail(error)
        resolve()
      })
    })
    if (this.#stream.writableNeedDrain) await this.#written
  }

  /**
   * Resolves when everything was handed over, or the reader has left.
   * @throws whatever else kept the stream from being written, such as a full disk
   */
  async flush(): Promise<void> {
    await this.#written
    // A stream that has failed may say so once more, later; unheard, that would end the process.
    if (this.#failure === undefined) this.#stream.off('error', this.#fail)
    else if (!READER_GONE.has(this.#failure.code ?? '')) throw this.#failure
  }
}
