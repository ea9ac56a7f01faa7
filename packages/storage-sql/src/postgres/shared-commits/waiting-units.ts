import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import type { SharedUnit } from './shared-unit.ts'

/** Of the units in the last batch. */
const ENOUGH = 0.8

/**
 * Units that wait for a batch. Those that were answered together come again together, but not in one turn of the event
 * loop; so a batch begins when nearly as many wait as the last one had, or after a moment.
 */
export class WaitingUnits {
  readonly #patience: number
  #units: SharedUnit[] = []
  #usual = 1
  #begin: (() => void) | undefined

  /** `patience`: for how many milliseconds a batch waits for others. */
  constructor(patience: number) {
    this.#patience = patience
  }

  get isEmpty(): boolean {
    return this.#units.length === 0
  }

  add(unit: SharedUnit): void {
    if (this.#units.push(unit) >= this.#usual) this.#begin?.()
  }

  /** Those for a batch, at most `most()` when it begins. One call at a time. */
  async gather(most: () => number): Promise<readonly SharedUnit[]> {
    // Everything that arrives in this turn of the loop joins.
    await nextTurnOfTheLoop()
    if (this.#patience > 0 && this.#units.length < this.#usual) await this.#wait()
    const units = this.#units.splice(0, most())
    if (units.length > 0) this.#usual = Math.ceil(units.length * ENOUGH)
    return units
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
