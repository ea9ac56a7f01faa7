/** Ends a request of which nothing is heard for too long. */
export class Silence {
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Waits for so many milliseconds from now on, whatever was waited for before. */
  allow(milliseconds: number): void {
    clearTimeout(this.#timer)
    // Not `AbortSignal.timeout`, which outlives the answer: of many quick ones, thousands would be waiting.
    const tooLong = (): void => this.#controller.abort(new DOMException('Nothing was heard.', 'TimeoutError'))
    this.#timer = setTimeout(tooLong, milliseconds)
  }

  /** Waits no longer. */
  over(): void {
    clearTimeout(this.#timer)
  }

  end(reason: unknown): void {
    this.#controller.abort(reason)
  }
}
