import type { WebhookName } from './webhook.ts'

/** How many at a time, so that one slow target does not use up the concurrency. */
const PER_TARGET = 10

/** Deliveries in flight. */
export class DeliveriesInFlight {
  readonly #most: number
  readonly #counts = new Map<WebhookName, number>()
  readonly #deliveries = new Set<Promise<void>>()

  constructor(most: number) {
    this.#most = most
  }

  /** How many more may be begun to this target. */
  room(target: WebhookName): number {
    return Math.min(PER_TARGET - (this.#counts.get(target) ?? 0), this.#most - this.#deliveries.size)
  }

  /** The delivery must never reject. */
  begin(target: WebhookName, delivery: Promise<void>): Promise<void> {
    this.#counts.set(target, (this.#counts.get(target) ?? 0) + 1)
    const ended = delivery.then(() => {
      const left = (this.#counts.get(target) ?? 1) - 1
      if (left > 0) this.#counts.set(target, left)
      else this.#counts.delete(target)
      this.#deliveries.delete(ended)
    })
    this.#deliveries.add(ended)
    return ended
  }

  /** Resolves when all are done. */
  async end(): Promise<void> {
    await Promise.all(this.#deliveries)
  }
}
