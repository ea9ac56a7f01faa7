import type { OutboxBell } from '@rollcall/core'

/** A bell that somebody may wait for. A ring while nobody waits is heard by the next who does. */
export class Bell implements OutboxBell {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
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
