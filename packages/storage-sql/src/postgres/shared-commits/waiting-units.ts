import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import type { SharedUnit } from './shared-unit.ts'

/** Units that wait for a batch. */
export class WaitingUnits {
  readonly #patience: number
  #units: SharedUnit[] = []
  #enough = 1
  #begin: (() => void) | undefined

  /** `patience`: for how many milliseconds a batch waits for others. */
  constructor(patience: number) {
    this.#patience = patience
  }

  get count(): number {
    return this.#units.length
  }

  add(unit: SharedUnit): void {
    if (this.#units.push(unit) >= this.#enough) this.#begin?.()
  }

  /** Those for a batch, at most `most()` when it begins: as soon as there are enough, or after a moment. One call at a time. */
  async gather(enough: number, most: () => number): Promise<readonly SharedUnit[]> {
    this.#enough = enough
    // Everything that arrives in this turn of the loop joins.
    await nextTurnOfTheLoop()
    if (this.#units.length < enough) await this.#wait()
    return this.#units.splice(0, most())
  }

  takeAll(): readonly SharedUnit[] {
    return this.#units.splice(0)
  }

  async #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#begin = resolve
    const timer = setTimeout(resolve, this.#patience)
    await promise
    clearTimeout(timer)
    this.#begin = undefined
  }
}
