import type { SubscriptionStatus } from '../subscriptions/subscription.ts'
import type { ImportCounts } from './import-report.ts'

/** Counts the rows of an import. */
export class ImportTally {
  readonly #counts = { rows: 0, imported: 0, unchanged: 0, refused: 0, confirmed: 0, pending: 0, ended: 0 }

  refused(): void {
    this.#counts.rows++
    this.#counts.refused++
  }

  unchanged(): void {
    this.#counts.rows++
    this.#counts.unchanged++
  }

  imported(status: SubscriptionStatus): void {
    this.#counts.rows++
    this.#counts.imported++
    this.#counts[status]++
  }

  add(other: ImportTally): void {
    for (const [name, count] of Object.entries(other.counts)) this.#counts[name as keyof ImportCounts] += count
  }

  get counts(): ImportCounts {
    return { ...this.#counts }
  }
}
