import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds within which what was sent is written down together, in one commit. */
const GATHERING = 10

/** Whoever comes while others wait goes on with them. */
export class Gathering {
  #waiting: Promise<void> | undefined

  join(): Promise<void> {
    this.#waiting ??= sleep(GATHERING).then(() => {
      this.#waiting = undefined
    })
    return this.#waiting
  }
}
