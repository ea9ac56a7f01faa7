import { DomainError, InsufficientPermissions, Unauthenticated, Unavailable } from '@rollcall/core'
import { CliError, ExitCode } from '../cli-error.ts'
import { inOrder } from '../in-order.ts'
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
  #trouble: { readonly error: unknown } | undefined
  #unfinished = false

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** The signal came before the end of the list. */
  get interrupted(): boolean {
    return this.#unfinished
  }

  /** The results in the order of the rows. What is in flight when the run stops is finished. */
  each<Result>(rows: AsyncIterable<IdRow>, work: (row: IdRow) => Promise<Result>): AsyncGenerator<Result> {
    return defined(inOrder(this.#untilStopped(rows), AT_ONCE, async (row) => await this.#heeded(() => work(row))))
  }

  /** Ends the run: something went wrong with what is done with its results. */
  fail(error: unknown): void {
    this.#trouble ??= { error }
  }

  /** @throws what went wrong, once all that was in flight has been reported */
  rethrowTrouble(): void {
    if (this.#trouble !== undefined) throw this.#trouble.error
  }

  async *#untilStopped(rows: AsyncIterable<IdRow>): AsyncGenerator<IdRow> {
    const iterator = rows[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await this.#heeded(() => iterator.next())
        if (next === undefined || next.done === true || this.#trouble !== undefined) return
        if (this.#signal.aborted) {
          this.#unfinished = true
          return
        }
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }

  async #heeded<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof CliError && error.exitCode === ExitCode.interrupted) this.#unfinished = true
      else this.fail(error)
      return undefined
    }
  }
}

async function* defined<Result>(results: AsyncIterable<Result | undefined>): AsyncGenerator<Result> {
  for await (const result of results) if (result !== undefined) yield result
}
