import type { Caller } from '../access/caller.ts'
import { EmailTaken } from '../errors.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import { storeUser } from '../users/change-user.ts'
import type { User } from '../users/user.ts'
import type { RefusedRow } from './import-report.ts'
import { isRefused, type UnitReport } from './import-units.ts'
import type { UserImportRow } from './user-import-row.ts'

/** Why a row was not imported. */
export type UserRowRefusalName = 'EmailTaken' | 'InvalidInput' | 'MalformedRow' | 'UserDeleted' | 'UserExists'

type Refusal = RefusedRow<UserRowRefusalName> | undefined

/** A row that was read: good, or refused already. */
export type ReadUserRow = UserImportRow | RefusedRow<UserRowRefusalName>

export type UserUnit = UnitReport<RefusedRow<UserRowRefusalName>>

/** Another user has the address of a row. It undoes the unit. */
export class AddressTaken extends Error {
  override readonly name = 'AddressTaken'
  readonly row: UserImportRow
  /** Its place among the rows of the unit. */
  readonly at: number

  constructor(row: UserImportRow, at: number, cause: unknown) {
    super(undefined, { cause })
    this.row = row
    this.at = at
  }
}

/** What a unit would have done. It undoes the unit. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
  readonly unit: UserUnit
  readonly added: Iterable<User>

  constructor(unit: UserUnit, added: Iterable<User>) {
    super()
    this.unit = unit
    this.added = added
  }
}

/** So many users are remembered: a dry run takes no more memory for a longer file. */
const MOST_REHEARSED = 20_000

/** The users that the last units of a dry run would have added. */
export class Rehearsal {
  readonly #ids = new Set<string>()
  readonly #addresses = new Set<string>()

  /** What the unit would have done; everything else that it throws is thrown. */
  async run(unit: Promise<UserUnit>): Promise<UserUnit> {
    try {
      return await unit
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error
      if (this.#ids.size >= MOST_REHEARSED) for (const known of [this.#ids, this.#addresses]) known.clear()
      for (const { id, emailKey } of error.added) {
        this.#ids.add(id)
        this.#addresses.add(emailKey)
      }
      return error.unit
    }
  }

  refusalOf(row: UserImportRow): Refusal {
    if (this.#ids.has(row.id)) return refusedUser(row, 'UserExists')
    return this.#addresses.has(row.address.key) ? refusedUser(row, 'EmailTaken') : undefined
  }
}

const MESSAGES = {
  EmailTaken: 'Another user has this e-mail address. Leave the row out, or give it another address.',
  UserDeleted: 'The user of this id was deleted. The id is never used again; give the row another.',
  UserExists: 'There is a user of this id, which stays as it is. Leave the row out.',
} as const

export const refusedUser = (
  { line }: UserImportRow,
  error: keyof typeof MESSAGES,
): RefusedRow<keyof typeof MESSAGES> => ({ line, error, message: MESSAGES[error] })

/** Milliseconds. While units run one after another, another writer waits at most so long, and for the commit. */
const TIME_FOR_ROWS = 10
/** Rows that are looked up together, which costs some stores little more than one. */
const ROWS_IN_TURN = 16
/** All of a unit: no other change of a user goes on meanwhile. */
const ROWS_SIDE_BY_SIDE = 64

type Ports = Needs<'clock' | 'trail' | 'unitOfWork'>

/**
 * Adds as many of the rows as a unit has time for, at least one, with a record for each and one with their number. In a
 * rehearsal nothing stays: it undoes the unit.
 * @throws {AddressTaken} another user has the address of one of them
 */
export const addUsers = async (
  { clock, trail, unitOfWork: { sideBySide = false } }: Ports,
  stores: Stores,
  rows: readonly ReadUserRow[],
  by: Caller | Rehearsal,
): Promise<UserUnit> => {
  const now = clock.now()
  const atOnce = sideBySide ? ROWS_SIDE_BY_SIDE : ROWS_IN_TURN
  const hasTime = () => !sideBySide && clock.now() - now < TIME_FOR_ROWS
  const added = new Map<string, User>()
  const refusals: RefusedRow<UserRowRefusalName>[] = []
  const record = async (user: User) => {
    const attempt = { action: 'user.import', target: user.id } as const
    if (!(by instanceof Rehearsal)) await trail.done(stores.audit, by, attempt, undefined, user)
  }
  let [done, recorded] = [0, 0]
  while (done < rows.length && (done === 0 || hasTime())) {
    const some = rows.slice(done, done + atOnce)
    const refused = await Promise.all(some.map((row) => refusalOf(row, stores, seen(row, added, by))))
    for (const [n, row] of some.entries()) {
      const refusal = refused[n] ?? seen(row, added, by)
      if (refusal !== undefined) refusals.push(refusal)
      else if (!isRefused(row)) added.set(row.id, await add(stores, row, { now, at: done }))
      done++
    }
    // After all of them: the end of the trail is held from its first record on.
    for (const user of [...added.values()].slice(recorded)) await record(user)
    recorded = added.size
  }
  if (by instanceof Rehearsal) throw new Rehearsed({ rows: done, refusals }, added.values())
  if (added.size > 0) await trail.done(stores.audit, by, { action: 'user.import' }, `rows ${added.size}`)
  return { rows: done, refusals }
}

/** The refusal of a row that was read as one, or has the id of one before. */
const seen = (row: ReadUserRow, added: ReadonlyMap<string, User>, by: Caller | Rehearsal): Refusal => {
  if (isRefused(row)) return row
  if (added.has(row.id)) return refusedUser(row, 'UserExists')
  return by instanceof Rehearsal ? by.refusalOf(row) : undefined
}

/** Why the row is not imported, as far as can be seen before. */
const refusalOf = async (row: ReadUserRow, { users, tombstones }: Stores, refusal: Refusal): Promise<Refusal> => {
  if (refusal !== undefined || isRefused(row)) return refusal
  const [isDeleted, known] = await Promise.all([tombstones.has(row.id), users.find(row.id)])
  if (isDeleted) return refusedUser(row, 'UserDeleted')
  return known === undefined ? undefined : refusedUser(row, 'UserExists')
}

const add = async (
  stores: Stores,
  row: UserImportRow,
  { now, at }: { readonly now: number; readonly at: number },
): Promise<User> => {
  const { id, address, name, roles } = row
  const user: User = { id, email: address.value, emailKey: address.key, name, roles, createdAt: now, updatedAt: now }
  try {
    await storeUser(stores, user, 'user.created')
    return user
  } catch (error) {
    throw error instanceof EmailTaken ? new AddressTaken(row, at, error) : error
  }
}
