import path from 'node:path'
import type { BenchCase } from '../cases/bench-case.ts'
import type { Cores } from '../command.ts'
import type { Options } from '../options.ts'
import { type Grown, grow } from './grow.ts'
import { growthCases, type Size } from './growth-cases.ts'
import { type ListFigures, measureLists } from './measure-lists.ts'

const FEW = 1_000

/** What the number of subscriptions does to sign-ups and lists: the same of few and of many. */
export class Growth {
  readonly cases: readonly BenchCase[]
  readonly #order: { readonly options: Options; readonly scratch: string; readonly cores: Cores }
  readonly #rows: Readonly<Record<Size, number>>
  readonly #grown = new Map<Size, Promise<Grown>>()

  constructor(order: { options: Options; scratch: string; cores: Cores }) {
    this.#order = order
    this.#rows = { small: FEW, large: order.options.rows }
    this.cases = growthCases(this.#rows, (size) => this.#grow(size))
  }

  async measureLists(): Promise<ListFigures[]> {
    const { options, scratch, cores } = this.#order
    return await measureLists({
      rows: this.#rows,
      grown: (size) => this.#grow(size),
      reps: options.reps,
      scratch,
      cores,
    })
  }

  /** Once for each size; whoever measures copies it. */
  #grow(size: Size): Promise<Grown> {
    const known = this.#grown.get(size) ?? grow(path.join(this.#order.scratch, `grown-${size}`), this.#rows[size])
    this.#grown.set(size, known)
    return known
  }
}
