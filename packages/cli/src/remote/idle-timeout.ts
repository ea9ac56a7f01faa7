/** Aborts a request when nothing was received for too long. */
export class IdleTimeout {
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Restarts the timeout, with this many milliseconds from now. */
  start(milliseconds: number): void {
    clearTimeout(this.#timer)
    // Not `AbortSignal.timeout`, which outlives the answer: of many quick answers, thousands of timers would be left.
    const expire = (): void => this.#controller.abort(new DOMException('Nothing was heard.', 'TimeoutError'))
    this.#timer = setTimeout(expire, milliseconds)
  }

  /** Nothing is waited for. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
  }
}
