import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '../ledger/ledger.ts'

/** How requests have ended. */
export class Tally {
  signUps = 0
  deletions = 0
  /** Answered 2xx. */
  done = 0
  /** Answered 503, or 408, 502 or 504 by something in between: to be asked again. */
  refused = 0
  cutOff = 0
  /** Answered 500, which is never right. */
  faults = 0
  #lastDone = Number.NEGATIVE_INFINITY

  constructor(ledger: Ledger) {
    ledger.onOutcome = ({ kind }, status) => {
      if (status === undefined) this.cutOff++
      else if (status === 500) this.faults++
      else if (status >= 500 || status === 408) this.refused++
      else if (status < 300) {
        this.done++
        this.#lastDone = performance.now()
        if (kind === 'subscribe') this.signUps++
        else if (kind === 'delete-user') this.deletions++
      }
    }
  }

  /** Milliseconds from then to the first 2xx after it; undefined where there was none for so long. */
  async doneAfter(then: number, within: number): Promise<number | undefined> {
    let seen = this.done
    while (performance.now() - then < within) {
      if (this.done > seen && this.#lastDone >= then) return Math.max(0, performance.now() - then)
      seen = Math.min(seen, this.done)
      await sleep(1)
    }
    return undefined
  }
}
