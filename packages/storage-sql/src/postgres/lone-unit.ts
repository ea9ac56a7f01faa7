import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '@rollcall/core'
import type { Connections } from './connections.ts'
import { keyOf } from './lock-keys.ts'
import { asUnavailable, isConnectionLoss, isContention } from './postgres-error.ts'
import { postgresStores } from './stores/index.ts'
import { Transaction } from './transaction.ts'
import { perform, type Work } from './unit.ts'

/** Milliseconds in which a unit that others get in the way of is run again. */
const PATIENCE = 10_000
const LONGEST_PAUSE = 20
/** As often is tried anew where a connection was lost: by a restart every one in the pool is. */
const MOST_LOSSES = 3

interface Trial<Result> {
  readonly value?: Result
  /** Why the work may be run again: nothing of it took place. */
  readonly again?: unknown
}

/**
 * Runs the work in a transaction of its own. Whatever it reads is locked, be it a row or the place where there is none,
 * so that it stays true until the end. Where that makes two wait for each other, PostgreSQL ends one, and it runs anew.
 * @throws {Unavailable} storage is down, or others were in the way for too long
 */
export const runAlone = async <Result>(connections: Connections, work: Work<Result>): Promise<Result> => {
  const deadline = performance.now() + PATIENCE
  let contended = false
  for (let losses = 0; ; ) {
    const { value, again } = await attempt(connections, work, contended)
    if (again === undefined) return value as Result
    if (isConnectionLoss(again)) losses++
    else contended = true
    if (losses >= MOST_LOSSES || performance.now() > deadline) throw new Unavailable({ cause: again })
    await sleep(Math.random() * LONGEST_PAUSE)
  }
}

const attempt = async <Result>(
  connections: Connections,
  work: Work<Result>,
  contended: boolean,
): Promise<Trial<Result>> =>
  await connections.lend(async (connection) => {
    const unit = new Transaction(connection)
    // Those that were in others' way go on one after another: among them there is no end to it otherwise.
    if (contended) unit.lock(keyOf.contended)
    const stores = postgresStores(unit)
    try {
      const value = await perform(work, stores)
      stores.events.write()
      await unit.commit()
      return { value }
    } catch (error) {
      const { failure, committing, unknown } = unit
      if (!committing) await unit.abandon()
      if (isContention(failure) || (isConnectionLoss(failure) && !unknown)) return { again: failure }
      throw committing ? asUnavailable(error) : error
    }
  })
