import { type MadeUserChange, Unavailable, type UserChangeRequest, type UserChanges } from '@rollcall/core'
import { toUser } from '../tables/users.ts'
import { attempt } from './attempt.ts'
import { Batches } from './batches.ts'
import type { Connections } from './connections.ts'
import { keyOf } from './lock-keys.ts'
import { violates } from './postgres-error.ts'
import { ERASE, eraseValues, FACTS, type GuardedChange, STORE, storeValues } from './user-change-statements.ts'

const MOST_AT_ONCE = 256

type Answer = { readonly made: MadeUserChange | undefined } | { readonly refusal: unknown }

/**
 * Changes of users, set by set. The life of a batch:
 *
 *     waiting ──end of the turn──▶ read ──▶ decided ──▶ locked, and written if it still stands ──▶ committed: answered
 *
 * - waiting: at most two batches are on their way; what comes meanwhile makes the next. A user that one request changes is
 *   neither changed by another on its way nor its caller, so that of two such requests one comes before the other.
 * - read: one statement for all of them, which locks nothing.
 * - decided: by the core, each by itself. One that is refused is answered, one that takes a unit of work given back.
 * - written: one transaction. Its first statement locks the targets, and shares the callers, as units of work do. Those
 *   after it see all that was committed by then, and write what the versions of target and caller still allow.
 * - What was not written, or undone, was changed by nobody: it is given back, and carried out in a unit of work.
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
    const { caller } = request
    // What is known of it says nothing about now.
    if (caller.roleSource === 'stored' && caller.identityVersion === undefined) return undefined
    const answer = await this.#batches.give(request)
    if ('refusal' in answer) throw answer.refusal
    return answer.made
  }

  /** Resolves when all that came before is answered; what comes later is `Unavailable`. */
  async close(): Promise<void> {
    await this.#batches.close()
  }

  async #carryOut(requests: readonly UserChangeRequest[]): Promise<readonly Answer[]> {
    try {
      const decided = await this.#decide(requests)
      const made = await this.#write(decided.flatMap((one) => ('guarded' in one ? [one.guarded] : [])))
      return decided.map((one) => ('guarded' in one ? { made: made.get(one.guarded.change.user.id) } : one))
    } catch (error) {
      if (error instanceof Unavailable && !error.unsure) this.#batches.refuseWaiting(error)
      throw error
    }
  }

  async #decide(requests: readonly UserChangeRequest[]): Promise<readonly (Answer | { guarded: GuardedChange })[]> {
    const rows = await this.#connections.ask(
      FACTS,
      requests.map(({ userId }) => userId),
    )
    const found = new Map(rows.map((row) => [row.asked, row]))
    return requests.map(({ userId, caller, traceContext, decide }) => {
      const row = found.get(userId)
      const user = row === undefined || row.seq === null ? undefined : toUser(row)
      try {
        const change = decide({ user, isDeleted: row?.deleted === true, administrators: undefined })
        if (change === undefined) return { made: undefined }
        return { guarded: { change, version: row?.version ?? 0, caller, traceContext } }
      } catch (refusal) {
        return { refusal }
      }
    })
  }

  /** What was made of them, by the ids of the users. */
  async #write(changes: readonly GuardedChange[]): Promise<ReadonlyMap<string, MadeUserChange>> {
    if (changes.length === 0) return new Map()
    const stored = changes.filter(({ change }) => change.kind === 'store')
    const erased = changes.filter(({ change }) => change.kind === 'delete')
    const callers = changes.flatMap(({ caller }) => (caller.identityVersion === undefined ? [] : [caller.id]))
    const attempted = await attempt(
      this.#connections,
      async (unit) => {
        unit.lock(...changes.map(({ change }) => keyOf.user(change.user.id)))
        unit.share(...callers.map(keyOf.user))
        return await Promise.all([
          stored.length === 0 ? [] : unit.ask<[id: string]>(STORE, ...storeValues(stored)),
          erased.length === 0 ? [] : unit.ask<[id: string, kept: number]>(ERASE, ...eraseValues(erased)),
        ])
      },
      // Two of them have the same address: each finds out by itself.
      { byIndex: true, allowsAgain: (failure) => violates(failure, 'user_account_email_key') },
    )
    if (!attempted.done) return new Map()
    const kept = new Map<string, number>(attempted.value.flat().map(([id, count = 0]) => [id, count]))
    return madeOf(changes, kept)
  }
}

const madeOf = (changes: readonly GuardedChange[], kept: ReadonlyMap<string, number>) => {
  const made = new Map<string, MadeUserChange>()
  for (const { change } of changes) {
    const subscriptionsKept = kept.get(change.user.id)
    if (subscriptionsKept !== undefined) made.set(change.user.id, { user: change.user, subscriptionsKept })
  }
  return made
}
