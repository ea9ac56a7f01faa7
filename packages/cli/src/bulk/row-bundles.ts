import { CliError, ExitCode } from '../cli-error.ts'
import { inOrder } from '../in-order.ts'
import type { Progress } from '../progress.ts'
import { AT_ONCE } from './bulk-order.ts'
import type { BulkRow } from './bulk-row.ts'
import type { IdRow } from './id-source.ts'

/** Goes through rows, bundle by bundle, until they end, the signal comes, or an error comes that is not about one row. */
export class RowBundles {
  readonly #signal: AbortSignal
  readonly #progress: Progress | undefined
  #trouble: { readonly error: unknown } | undefined
  /** The signal came before the end of the list. */
  interrupted = false

  constructor(signal: AbortSignal, progress: Progress | undefined) {
    this.#signal = signal
    this.#progress = progress
  }

  /** The results in the order of the rows. What is in flight when the run stops is finished. */
  async *each(
    rows: AsyncIterable<IdRow>,
    work: (rows: readonly IdRow[]) => Promise<readonly BulkRow[]>,
    bundles: number,
  ): AsyncGenerator<BulkRow> {
    try {
      for await (const results of inOrder(this.#bundles(rows), bundles, (some) => this.attempt(() => work(some))))
        for (const result of results ?? []) {
          this.#progress?.advance()
          yield result
        }
    } finally {
      this.#progress?.stop()
    }
  }

  /** Does a part of the run; what goes wrong with it ends the run. */
  async attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof CliError && error.exitCode === ExitCode.interrupted) this.interrupted = true
      else this.#trouble ??= { error }
      return undefined
    }
  }

  /** @throws what went wrong, once all that was in flight has been reported */
  rethrowTrouble(): void {
    if (this.#trouble !== undefined) throw this.#trouble.error
  }

  async *#bundles(rows: AsyncIterable<IdRow>): AsyncGenerator<readonly IdRow[]> {
    let bundle: IdRow[] = []
    for await (const row of this.#untilStopped(rows)) {
      bundle.push(row)
      if (bundle.length < AT_ONCE) continue
      yield bundle
      bundle = []
    }
    if (bundle.length > 0) yield bundle
  }

  async *#untilStopped(rows: AsyncIterable<IdRow>): AsyncGenerator<IdRow> {
    const iterator = rows[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await this.attempt(() => iterator.next())
        if (next === undefined || next.done === true || this.#trouble !== undefined) return
        if (this.#signal.aborted) {
          this.interrupted = true
          return
        }
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }
}
