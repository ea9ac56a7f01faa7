import { type MadeUserChange, Unavailable, type UserChangeRequest, type UserChanges } from '@rollcall/core'
import { toUser } from '../tables/users.ts'
import { attempt } from './attempt.ts'
import { Batches } from './batches.ts'
import type { Connections } from './connections.ts'
import { keyOf } from './lock-keys.ts'
import { isSilence } from './postgres-error.ts'
import type { Transaction } from './transaction.ts'
import {
  ERASE,
  eraseValues,
  FACTS,
  type FactsRow,
  type GuardedChange,
  isOperator,
  STORE,
  storeValues,
} from './user-change-statements.ts'

const MOST_AT_ONCE = 256

/** Undefined if it is given back. */
type Answer = { readonly made: MadeUserChange | undefined } | { readonly refusal: unknown }
type Decided = Answer | { readonly guarded: GuardedChange }

/**
 * Changes of users, set by set. The life of a batch:
 *
 *     waiting ──end of the turn──▶ read ──▶ decided ──▶ locked, and written if it still stands ──▶ committed: answered
 *
 * - waiting: at most two batches are on their way; what comes meanwhile makes the next. A user that one request changes is
 *   neither changed by another on its way nor its caller, so that of two such requests one comes before the other.
 * - read: one statement for all of them, which locks nothing.
 * - decided: by the core, each by itself. One that takes a unit of work is given back; so is one that is refused, unless an
 *   operator asks: whether its caller still stands comes before any other refusal.
 * - written: one transaction. Its first statement locks the targets and shares the callers, as units of work do, but waits
 *   for none. Those after it see all that was committed by then, and write what the versions of target and caller allow.
 * - What was not free, not written, or undone, was changed by nobody: it is given back, and carried out in a unit of work.
 */
export class PostgresUserChanges implements UserChanges {
  readonly #connections: Connections
  readonly #batches: Batches<UserChangeRequest, Answer>

  constructor(connections: Connections) {
    this.#connections = connections
    this.#batches = new Batches({
      most: MOST_AT_ONCE,
      keysOf: ({ userId, caller }) => ({ changes: userId, asks: caller.id }),
      send: (requests) => this.#carryOut(requests),
    })
  }

  async make(request: UserChangeRequest): Promise<MadeUserChange | undefined> {
    const answer = await this.#batches.give(request)
    if ('refusal' in answer) throw answer.refusal
    return answer.made
  }

  /** Resolves when all that came before is answered; what comes later is `Unavailable`. */
  async close(): Promise<void> {
    await this.#batches.close()
  }

  async #carryOut(requests: readonly UserChangeRequest[]): Promise<readonly Answer[]> {
    const decided = decideAll(requests, await this.#factsOf(requests))
    const made = await this.#write(decided.flatMap((one) => ('guarded' in one ? [one.guarded] : [])))
    return decided.map((one) => ('guarded' in one ? { made: made.get(one.guarded.change.user.id) } : one))
  }

  async #factsOf(requests: readonly UserChangeRequest[]): Promise<ReadonlyMap<string, FactsRow>> {
    try {
      const ids = requests.map(({ userId }) => userId)
      return new Map((await this.#connections.ask(FACTS, ids)).map((row) => [row.asked, row]))
    } catch (error) {
      if (error instanceof Unavailable) this.#batches.refuseWaiting(error)
      throw error
    }
  }

  /** What was made of them, by the ids of the users. */
  async #write(changes: readonly GuardedChange[]): Promise<ReadonlyMap<string, MadeUserChange>> {
    if (changes.length === 0) return new Map()
    try {
      const attempted = await attempt(this.#connections, (unit) => writeFree(unit, changes))
      return attempted.done ? attempted.value : new Map()
    } catch (error) {
      if (error instanceof Unavailable && isSilence(error.cause)) this.#batches.refuseWaiting(error)
      if (error instanceof Unavailable) throw error
      // One of them cannot be stored, or has an address that another takes at the same time: each finds out by itself.
      return new Map()
    }
  }
}

const decideAll = (
  requests: readonly UserChangeRequest[],
  found: ReadonlyMap<string, FactsRow>,
): readonly Decided[] => {
  const addresses = new Set<string>()
  return requests.map(({ userId, caller, traceContext, decide }) => {
    const row = found.get(userId)
    const user = row === undefined || row.seq === null ? undefined : toUser(row)
    try {
      const change = decide({ user, isDeleted: row?.deleted === true, administrators: undefined })
      if (change === undefined || addresses.has(change.user.emailKey)) return { made: undefined }
      addresses.add(change.user.emailKey)
      return { guarded: { change, version: row?.version ?? 0, caller, traceContext } }
    } catch (refusal) {
      return isOperator(caller) ? { refusal } : { made: undefined }
    }
  })
}

const writeFree = async (
  unit: Transaction,
  changes: readonly GuardedChange[],
): Promise<ReadonlyMap<string, MadeUserChange>> => {
  const { locked, shared } = await unit.takeFree(
    changes.map(({ change }) => keyOf.user(change.user.id)),
    changes.flatMap(({ caller }) => (isOperator(caller) ? [] : [keyOf.user(caller.id)])),
  )
  const free = changes
    .filter(({ change }) => locked.has(keyOf.user(change.user.id)))
    .filter(({ caller }) => isOperator(caller) || shared.has(keyOf.user(caller.id)))
    // In one order for all, as others that write many rows have it.
    .toSorted((one, other) => (one.change.user.id < other.change.user.id ? -1 : 1))
  const stored = free.filter(({ change }) => change.kind === 'store')
  const erased = free.filter(({ change }) => change.kind === 'delete')
  const written = await Promise.all([
    stored.length === 0 ? [] : unit.ask<[id: string]>(STORE, ...storeValues(stored)),
    erased.length === 0 ? [] : unit.ask<[id: string, kept: number]>(ERASE, ...eraseValues(erased)),
  ])
  return madeOf(changes, new Map(written.flat().map(([id, kept = 0]) => [id, kept])))
}

const madeOf = (changes: readonly GuardedChange[], kept: ReadonlyMap<string, number>) => {
  const made = new Map<string, MadeUserChange>()
  for (const { change } of changes) {
    const subscriptionsKept = kept.get(change.user.id)
    if (subscriptionsKept !== undefined) made.set(change.user.id, { user: change.user, subscriptionsKept })
  }
  return made
}
