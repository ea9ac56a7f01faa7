import { type Answer, answerTo } from './answer.ts'
import type { Witness } from './commit-outcome.ts'
import type { Connection } from './connection.ts'
import { LOCKS, TAKE_FREE } from './lock-statements.ts'
import { asUnavailable, discreet, leavesDoubt } from './postgres-error.ts'
import { incarnationOf } from './session.ts'
import { warnedDuring } from './standby-warning.ts'
import {
  type Ask,
  DURABLE,
  type ListStatement,
  rowsIn,
  type Statement,
  statement,
  storable,
  type Value,
} from './statement.ts'
import { POSTGRES_STATEMENTS } from './statement-channel.ts'
import { usedOutsideUnit } from './unit.ts'

// What is read after a lock was waited for is what was committed by then, whatever the default of the database or the role.
const BEGIN = statement('BEGIN ISOLATION LEVEL read committed')
const COMMIT = statement('COMMIT')
const ROLLBACK = statement('ROLLBACK')
const WAIT_FOR_DISK = statement(`SELECT ${DURABLE}`)
const TRY_SHARE = statement('SELECT pg_try_advisory_xact_lock_shared(hashtextextended($1::text COLLATE "C", 0))')
const TRY_LOCK = statement('SELECT pg_try_advisory_xact_lock(hashtextextended($1::text COLLATE "C", 0))')

/** PostgreSQL undid the transaction because something in it had failed. */
class Undone extends Error {
  override readonly name = 'Undone'
}

/** It would have to wait for another unit, which may come to wait for it: it is undone, and runs again. */
class Contended extends Error {
  override readonly name = 'Contended'
  /** As if it had been serialized. */
  readonly code = '40001'
}

/**
 * One transaction on one connection. Once it has begun, statements go out at once, in their order, without waiting for one
 * another's answers. If one fails all that follow do, and the first failure is what comes out.
 */
export class Transaction {
  readonly #connection: Connection
  readonly #held = new Set<string>()
  readonly #shared = new Set<string>()
  readonly #gathered = new Set<() => void>()
  readonly #afterCommit: (() => void)[] = []
  #failure: { readonly error: unknown; readonly unknown: boolean } | undefined
  #committing = false
  #begun: Promise<unknown> | undefined
  #open = true
  #id: string | undefined
  #numbered: Promise<void> | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** What failed first, as PostgreSQL said it. */
  get failure(): unknown {
    return this.#failure?.error
  }

  /** Whether the answer to the commit was lost, or does not say for sure that it was undone. */
  get unknown(): boolean {
    return this.#failure?.unknown === true
  }

  get committing(): boolean {
    return this.#committing
  }

  /** By which one can ask what became of it; undefined if it has locked nothing, or the server never said. */
  get witness(): Witness | undefined {
    const incarnation = incarnationOf(this.#connection)
    return incarnation !== undefined && this.#id !== undefined ? { id: this.#id, incarnation } : undefined
  }

  readonly ask: Ask = async (statement: Statement, ...values: Value[]): Promise<never[]> =>
    rowsIn(statement, await this.#send(statement, values)) as never[]

  /** How many rows it changed. */
  async change(statement: Statement, ...values: Value[]): Promise<number> {
    const { tag } = await this.#send(statement, values)
    return Number(tag.slice(tag.lastIndexOf(' ')))
  }

  /** Called before the next statement goes out, and before the end: what is gathered until then goes out together. */
  gather(write: () => void): void {
    this.#gathered.add(write)
  }

  /** To be done once everything is on durable storage, if it is known to be. */
  afterCommit(done: () => void): void {
    this.#afterCommit.push(done)
  }

  /** Without waiting: if it fails, so does the commit. */
  write(statement: Statement, ...values: Value[]): void {
    this.#send(statement, values).catch(() => undefined)
  }

  /** Locks these keys until the end. All units lock in one order, so that no two wait for each other. */
  lock(...keys: string[]): void {
    const missing = keys.filter((key) => !this.#held.has(key))
    this.#take(LOCKS.lock, missing.toSorted(), this.#held)
  }

  /** Locks these keys until the end against `lock`, but not against `share`. */
  share(...keys: string[]): void {
    const missing = keys.filter((key) => !this.#held.has(key) && !this.#shared.has(key))
    this.#take(LOCKS.share, missing.toSorted(), this.#shared)
  }

  /**
   * Locks a key that comes before all others in the order. Where others are locked already, and it is not free, the unit is
   * undone and runs again with this one first.
   */
  async lockLate(key: string): Promise<void> {
    if (this.#held.has(key)) return
    if (this.#held.size + this.#shared.size === 0) return this.lock(key)
    await this.#takeNow(TRY_LOCK, key, this.#held)
  }

  /** As `share`, in no order: if one of the keys is not free, the unit is undone and runs again. */
  async shareNow(...keys: string[]): Promise<void> {
    const missing = keys.filter((key) => !this.#held.has(key) && !this.#shared.has(key))
    await Promise.all(missing.map((key) => this.#takeNow(TRY_SHARE, key, this.#shared)))
  }

  /** Locks those of the keys that are free, shares those of the others that are, and waits for none: those that it has. */
  async takeFree(
    keys: readonly string[],
    others: readonly string[],
  ): Promise<{ readonly locked: ReadonlySet<string>; readonly shared: ReadonlySet<string> }> {
    const taking = this.#send(TAKE_FREE, [keys.toSorted(), [...new Set(others)].toSorted()])
    this.#numbered ??= taking.then(
      () => undefined,
      () => undefined,
    )
    const {
      rows: [[id, locked, shared] = []],
    } = await taking
    this.#id ??= id as string | undefined
    return { locked: new Set(JSON.parse(String(locked))), shared: new Set(JSON.parse(String(shared))) }
  }

  /** A statement that comes later comes from work that was not awaited. */
  close(): void {
    this.#open = false
  }

  /**
   * Everything is on durable storage once this resolves.
   * @throws what failed first
   */
  async commit(): Promise<void> {
    this.#writeGathered()
    // Whatever locked something has said so with it.
    if (this.#numbered === undefined) this.write(WAIT_FOR_DISK)
    this.close()
    await Promise.allSettled([this.#begun, this.#numbered])
    if (this.failure !== undefined) {
      // PostgreSQL itself would undo it now; but it may have been a pooler that said so in its place.
      await this.abandon()
      throw asUnavailable(this.failure)
    }
    this.#committing = true
    const { answer, warned } = await warnedDuring(this.#connection, () => this.#ask(COMMIT, []))
    if (this.failure !== undefined) throw asUnavailable(this.failure)
    if (answer.tag !== 'COMMIT') throw new Undone('A transaction was undone at its end.')
    if (warned) throw this.#fail(new Error('A commit returned before a standby had it.'), true)
    for (const done of this.#afterCommit) done()
  }

  /** Undoes everything. If not even that can be said, the connection is not idle, and goes out of use. */
  async abandon(): Promise<void> {
    this.close()
    await this.#begun?.then(() => answerTo(this.#connection, ROLLBACK, [])).catch(() => undefined)
  }

  async #takeNow(statement: ListStatement, key: string, into: Set<string>): Promise<void> {
    const [[isFree] = [false]] = await this.ask<[isFree: boolean]>(statement, key)
    if (!isFree) throw asUnavailable(this.#fail(new Contended('Another unit has the key.'), false))
    into.add(key)
  }

  #take(statement: Statement, keys: readonly string[], into: Set<string>): void {
    if (keys.length === 0) return
    for (const key of keys) into.add(key)
    const taken = this.#send(statement, [keys]).then(
      ({ rows }) => {
        this.#id ??= rows[0]?.[0] as string | undefined
      },
      // The commit fails with it.
      () => undefined,
    )
    this.#numbered ??= taken
  }

  async #send(statement: Statement, values: readonly Value[]): Promise<Answer> {
    if (!this.#open) throw usedOutsideUnit()
    this.#writeGathered()
    return await this.#ask(statement, storable(values))
  }

  #writeGathered(): void {
    const gathered = [...this.#gathered]
    this.#gathered.clear()
    for (const write of gathered) write()
  }

  async #ask(statement: Statement, values: readonly Value[]): Promise<Answer> {
    this.#begun ??= this.#answerTo(BEGIN, [])
    // Not behind it at once: if the transaction could not be begun, this would be committed by itself.
    await this.#begun
    return await this.#answerTo(statement, values)
  }

  async #answerTo(statement: Statement, values: readonly Value[]): Promise<Answer> {
    try {
      const answer = await answerTo(this.#connection, statement, values)
      POSTGRES_STATEMENTS.publish(statement.text)
      return answer
    } catch (error) {
      // What follows a failure says only that something has failed before.
      throw asUnavailable(this.#fail(discreet(error), this.#committing && leavesDoubt(error)))
    }
  }

  /** The first failure, which may be this. */
  #fail(error: unknown, unknown: boolean): unknown {
    this.#failure ??= { error, unknown }
    return this.#failure.error
  }
}
