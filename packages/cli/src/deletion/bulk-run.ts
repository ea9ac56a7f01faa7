import { DomainError, InsufficientPermissions, Unauthenticated, Unavailable } from '@rollcall/core'
import { CliError, ExitCode } from '../cli-error.ts'
import { inOrder } from '../in-order.ts'
import type { Progress } from '../progress.ts'
import type { IdRow } from './id-source.ts'

// Deletions that are under way together share a commit of the storage.
const AT_ONCE = 256

/** Whether an error refuses this one row; any other would refuse the next row as well. */
export const refusesOneRow = (error: unknown): error is DomainError =>
  error instanceof DomainError &&
  !(error instanceof Unavailable || error instanceof InsufficientPermissions || error instanceof Unauthenticated)

/** Goes through rows until they end, the signal comes, or an error comes that is not about one row. */
export class BulkRun {
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
  async *each<Result>(rows: AsyncIterable<IdRow>, work: (row: IdRow) => Promise<Result>): AsyncGenerator<Result> {
    try {
      for await (const result of inOrder(this.#untilStopped(rows), AT_ONCE, (row) => this.attempt(() => work(row)))) {
        if (result === undefined) continue
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
