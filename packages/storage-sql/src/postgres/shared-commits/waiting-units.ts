import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import type { SharedUnit } from './shared-unit.ts'

/** Of the units that are expected. */
const ENOUGH = 0.8

/**
 * Units that wait for a batch. Those that were answered together come again together, but not in one turn of the event
 * loop; so a batch begins when nearly as many wait as there were, in the last one or waiting for it to end, or after a
 * moment.
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

  get count(): number {
    return this.#units.length
  }

  add(unit: SharedUnit): void {
    if (this.#units.push(unit) >= this.#usual) this.#begin?.()
  }

  /** Those for a batch, at most `most()` when it begins. One call at a time. */
  async gather(most: () => number): Promise<readonly SharedUnit[]> {
    // Everything that arrives in this turn of the loop joins.
    await nextTurnOfTheLoop()
    if (this.#patience > 0 && this.#units.length < this.#usual) await this.#wait()
    return this.#units.splice(0, most())
  }

  /** To be called when a batch has ended, and its units are about to be answered. */
  expect(answered: number, most: number): void {
    this.#usual = Math.ceil(Math.min(answered + this.#units.length, most) * ENOUGH)
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
