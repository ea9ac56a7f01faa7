import { type MadeUserChange, Unavailable, type UserChangeRequest, type UserChanges } from '@rollcall/core'
import { toUser } from '../tables/users.ts'
import { attempt } from './attempt.ts'
import { Batches } from './batches.ts'
import type { Connections } from './connections.ts'
import { keyOf, keysOfCaller } from './lock-keys.ts'
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
 *     waiting ──end of the turn──▶ locked, and read ──▶ decided ──▶ written if it stands ──▶ committed: answered
 *
 * - waiting: one batch is on its way; what comes meanwhile makes the next. A user that one request changes is
 *   neither changed by another on its way nor its caller, so that of two such requests one comes before the other.
 * - locked, and read: a transaction takes those of the keys of targets and callers that are free, as units of work do, but
 *   waits for none. The statement after that reads what is stored about all of them, as committed by then.
 * - decided: by the core, each by itself. One that takes a unit of work is given back; so is one that is refused, unless an
 *   operator asks: whether its caller still stands comes before any other refusal.
 * - written: in one statement each for those that are stored and those that are erased, and only those whose target and
 *   caller still have the versions that were read, whatever has come in between without the keys.
 * - What was not free, not written, or undone, was changed by nobody: it is given back, and carried out in a unit of work.
 */
export class PostgresUserChanges implements UserChanges {
  readonly #connections: Connections
  readonly #batches: Batches<UserChangeRequest, Answer>

  constructor(connections: Connections) {
    this.#connections = connections
    this.#batches = new Batches({
      most: MOST_AT_ONCE,
      // Four statements cost nearly the same for fifty changes as for two.
      sends: 1,
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
    const back = requests.map((): Answer => ({ made: undefined }))
    try {
      const attempted = await attempt(this.#connections, (unit) => carryOutIn(unit, requests))
      return attempted.done ? attempted.value : back
    } catch (error) {
      // One of them cannot be stored, or has an address that another takes at the same time: each finds out by itself.
      if (!(error instanceof Unavailable)) return back
      if (!error.unsure) this.#batches.refuseWaiting(error)
      throw error
    }
  }
}

const carryOutIn = async (unit: Transaction, requests: readonly UserChangeRequest[]): Promise<readonly Answer[]> => {
  const keysOf = ({ caller }: UserChangeRequest) => (isOperator(caller) ? [] : keysOfCaller(caller.id, caller.tokenId))
  const [{ locked, shared }, rows] = await Promise.all([
    unit.takeFree(
      requests.map(({ userId }) => keyOf.user(userId)),
      requests.flatMap(keysOf),
    ),
    unit.ask(
      FACTS,
      requests.map(({ userId }) => userId),
    ),
  ])
  const isFree = (request: UserChangeRequest) =>
    locked.has(keyOf.user(request.userId)) && keysOf(request).every((key) => shared.has(key))
  const decided = decideAll(requests, new Map(rows.map((row) => [row.asked, row])), isFree)
  const made = await write(
    unit,
    decided.flatMap((one) => ('guarded' in one ? [one.guarded] : [])),
  )
  return decided.map((one) => ('guarded' in one ? { made: made.get(one.guarded.change.user.id) } : one))
}

const decideAll = (
  requests: readonly UserChangeRequest[],
  found: ReadonlyMap<string, FactsRow>,
  isFree: (request: UserChangeRequest) => boolean,
): readonly Decided[] => {
  const addresses = new Set<string>()
  return requests.map((request) => {
    const { userId, caller, traceContext, decide } = request
    if (!isFree(request)) return { made: undefined }
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

/** What was made of them, by the ids of the users. */
const write = async (
  unit: Transaction,
  changes: readonly GuardedChange[],
): Promise<ReadonlyMap<string, MadeUserChange>> => {
  // In one order for all, as others that write many rows have it.
  const ordered = changes.toSorted((one, other) => (one.change.user.id < other.change.user.id ? -1 : 1))
  const stored = ordered.filter(({ change }) => change.kind === 'store')
  const erased = ordered.filter(({ change }) => change.kind === 'delete')
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
