import { Unavailable } from '@rollcall/core'
import { commitOutcome } from './commit-outcome.ts'
import type { Connections } from './connections.ts'
import { asUnavailable, isConnectionLoss, isContention, isSilence } from './postgres-error.ts'
import { Transaction } from './transaction.ts'

export type Attempt<Result> =
  | { readonly done: true; readonly value: Result }
  /** Nothing of it took place, and the work may be run again. */
  | { readonly done: false; readonly reason: unknown }

/**
 * Runs the work in a transaction, once. If the answer to its commit is lost, asks what became of it.
 * @throws what the work throws
 * @throws {Unavailable} storage is down; `unsure` if it is unknown whether it took place
 */
export const attempt = async <Result>(
  connections: Connections,
  work: (unit: Transaction) => Promise<Result>,
): Promise<Attempt<Result>> => {
  let unit: Transaction | undefined
  let result: { readonly value: Result } | undefined
  try {
    const value = await connections.lend(async (connection) => {
      unit = new Transaction(connection)
      result = { value: await undoing(unit, work) }
      await unit.commit()
      return result.value
    })
    return { done: true, value }
  } catch (error) {
    if (unit?.unknown && result) return await settled(connections, unit, result)
    const failure = unit?.failure
    if (isContention(failure) || (isConnectionLoss(failure) && !isSilence(failure)))
      return { done: false, reason: failure }
    throw unit?.committing ? asUnavailable(error) : error
  }
}

const undoing = async <Result>(unit: Transaction, work: (unit: Transaction) => Promise<Result>): Promise<Result> => {
  try {
    return await work(unit)
  } catch (error) {
    await unit.abandon()
    throw error
  }
}

const settled = async <Result>(
  connections: Connections,
  { witness, failure }: Transaction,
  { value }: { readonly value: Result },
): Promise<Attempt<Result>> => {
  const outcome = await commitOutcome(connections, witness)
  if (outcome === 'unknown') throw new Unavailable({ cause: failure, unsure: true })
  if (outcome === 'committed') return { done: true, value }
  if (isConnectionLoss(failure)) return { done: false, reason: failure }
  throw asUnavailable(failure)
}
