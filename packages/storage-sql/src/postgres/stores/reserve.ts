import type { ListStatement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const MOST = 512

/**
 * Numbers of a sequence, reserved for one unit: one at first, then ever more at a time, so that a unit that writes many
 * rows does not wait for each.
 */
export class Reserve {
  readonly #unit: Transaction
  readonly #draw: ListStatement
  #numbers: number[] = []
  #next = 1

  /** `draw` gives so many as its parameter says. */
  constructor(unit: Transaction, draw: ListStatement) {
    this.#unit = unit
    this.#draw = draw
  }

  async take(): Promise<number> {
    if (this.#numbers.length === 0) {
      const drawn = await this.#unit.ask<[number: number]>(this.#draw, this.#next)
      this.#numbers = drawn.map(([number]) => number).reverse()
      this.#next = Math.min(MOST, this.#next * 2)
    }
    const number = this.#numbers.pop()
    if (number === undefined) throw new RangeError('A sequence gave no number.')
    return number
  }
}
