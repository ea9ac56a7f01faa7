/**
 * One slow action for many who ask for it: whoever comes while it runs shares the next run. What a caller did before
 * it asked is covered by the run that it waits for.
 */
export class SharedSync {
  readonly #sync: () => Promise<void>
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(sync: () => Promise<void>) {
    this.#sync = sync
  }

  run(): Promise<void> {
    this.#next ??= this.#runAfter(this.#running)
    return this.#next
  }

  async #runAfter(running: Promise<void>): Promise<void> {
    // Whoever waited for that one has heard of its failure.
    await Promise.allSettled([running])
    this.#running = this.#next ?? running
    this.#next = undefined
    await this.#sync()
  }
}
