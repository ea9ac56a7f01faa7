import { Unavailable } from './errors.ts'

/** What became of one item of a batch. */
export type Outcome<Result> = { readonly value: Result } | { readonly error: unknown }

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

interface Options {
  /** Items of a batch. */
  readonly most: number
  /** Batches at the same time. */
  readonly atOnce: number
}

/**
 * Items that arrive while others are worked on wait, and share the next batch: so a service that is busy reads and writes
 * set by set, and one that is not works at once. A batch that fails is done again, item by item, unless storage is down.
 */
export class Batches<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>
  readonly #options: Options
  #waiting: Waiting<Item, Result>[] = []
  #running = 0

  /** `work` gives an outcome for each item, in their order. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>, options: Options) {
    this.#work = work
    this.#options = options
  }

  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      void this.#next()
    })
  }

  async #next(): Promise<void> {
    if (this.#running >= this.#options.atOnce) return
    this.#running++
    // Whatever arrives in the same turn joins.
    await undefined
    while (this.#waiting.length > 0) await this.#do(this.#waiting.splice(0, this.#options.most))
    this.#running--
  }

  async #do(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await this.#work(batch.map(({ item }) => item))
      for (const [n, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[n]
        if (outcome !== undefined && 'value' in outcome) resolve(outcome.value)
        else reject(outcome?.error)
      }
    } catch (error) {
      if (batch.length > 1 && !(error instanceof Unavailable)) for (const one of batch) await this.#do([one])
      else for (const { reject } of batch) reject(error)
    }
  }
}
