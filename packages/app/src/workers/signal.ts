import type { OutboxSignal } from '@rollcall/core'

/** A signal to wait for. One that is given while nothing waits ends the next wait at once. */
export class Signal implements OutboxSignal {
  #rung = false
  #wake: (() => void) | undefined

  notify(): void {
    this.#rung = true
    this.#wake?.()
  }

  /** Resolves at the next ring, at once if there was one since the last wait, or after so many milliseconds. */
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
