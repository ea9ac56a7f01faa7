import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '../../proving/shared/ledger.ts'

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
  /** When each 2xx came. */
  readonly #times: number[] = []

  constructor(ledger: Ledger) {
    ledger.onOutcome = ({ kind }, status) => {
      if (status === undefined) this.cutOff++
      else if (status === 500) this.faults++
      else if (status >= 500 || status === 408) this.refused++
      else if (status < 300) {
        this.done++
        this.#times.push(performance.now())
        if (kind === 'subscribe') this.signUps++
        else if (kind === 'delete-user') this.deletions++
      }
    }
  }

  /** Milliseconds from then to the first 2xx after it; undefined where there was none for so long. */
  async doneAfter(then: number, within: number): Promise<number | undefined> {
    for (;;) {
      const first = this.#times[this.#times.findLastIndex((time) => time < then) + 1]
      if (first !== undefined) return first - then
      if (performance.now() - then >= within) return undefined
      await sleep(5)
    }
  }
}
