/** A signal to wait for. One that is given while nothing waits ends the next wait at once. */
export class Signal {
  #rung = false
  #wake: (() => void) | undefined

  notify(): void {
    this.#rung = true
    this.#wake?.()
  }

  /** Resolves at the next notification, at once if one came since the last wait, or after this many milliseconds. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#rung = false
    this.#wake = undefined
  }
}
