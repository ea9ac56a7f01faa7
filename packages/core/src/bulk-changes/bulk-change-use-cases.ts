import { ADMIN, type Caller } from '../access/caller.ts'
import { parseReason } from '../audit/reason.ts'
import type { Dependencies } from '../dependencies.ts'
import { InsufficientPermissions, InvalidInput, PreconditionFailed, Unauthenticated, UserDeleted } from '../errors.ts'
import { userState } from '../published/user.ts'
import { readAll } from '../read-all.ts'
import type { Readers } from '../readers.ts'
import { UseCase } from '../use-case.ts'
import { ChangeUserRolesUseCase } from '../users/change-user-roles-use-case.ts'
import { DeleteUserUseCase } from '../users/delete-user-use-case.ts'
import { RestoreUserUseCase } from '../users/restore-user-use-case.ts'
import { ResumeUserUseCase, SuspendUserUseCase } from '../users/suspend-user-use-case.ts'
import { asUserId, identityOf, isAdministrator, type User } from '../users/user.ts'
import {
  BULK_CHANGES,
  type BulkChange,
  type BulkRow,
  type BulkTerms,
  type CarriedOut,
  type ChangedRow,
  type FoundRow,
  foresee,
  heldTo,
  isAlreadySo,
  type PlannedRow,
  refusesOne,
} from './bulk-change.ts'

export interface BulkChangeCommand extends BulkTerms {
  readonly change: BulkChange
  /** At most `MOST_CHANGED`. Who comes twice is changed once, by the first row. */
  readonly rows: readonly BulkRow[]
}

export interface PlanUserChangesCommand extends BulkChangeCommand {
  /** How many administrators the same plan has taken away before these users. */
  readonly administratorsRemovedBefore?: number | undefined
}

export interface PlannedUserChanges {
  readonly rows: readonly PlannedRow[]
  /** How many administrators the plan takes away, those before included. */
  readonly administratorsRemoved: number
  /** How long a deletion can be undone, in milliseconds; 0 for any other change. */
  readonly grace: number
}

/** Of one command: a list is longer, and takes several. As many as a storage changes in one batch. */
export const MOST_CHANGED = 256

/** Each user's first row. */
const rowsIn = (
  { rows, reason, add = [], remove = [] }: BulkChangeCommand,
  { table }: Dependencies['access'],
): readonly BulkRow[] => {
  // Whether it names one of them is asked of each.
  parseReason(reason, { whose: "a user's", name: '', addresses: [] })
  if (rows.length === 0 || rows.length > MOST_CHANGED)
    throw new InvalidInput([{ field: 'users', message: `Give 1 to ${MOST_CHANGED} users at once.` }])
  readAll({ add: () => table.parseRoles(add, 'add'), remove: () => table.parseRoles(remove, 'remove') })
  const first = new Map(rows.toReversed().map((row) => [row.id, row]))
  return rows.filter((row) => first.get(row.id) === row)
}

/** What changes of many users would do, without doing them: nothing waits for it, so no unit of work. */
export class PlanUserChangesUseCase extends UseCase<
  'access' | 'clock' | 'deleteGrace' | 'digests' | 'erasure' | 'requests',
  'audit' | 'heldUsers' | 'subscriptions' | 'tombstones' | 'users'
> {
  /** @throws {InvalidInput} there are no users, or too many, or a role is unknown */
  async execute(command: PlanUserChangesCommand, caller: Caller): Promise<PlannedUserChanges> {
    const { access, clock, readers, requests } = this.ports
    const { change, administratorsRemovedBefore: before = 0 } = command
    const rows = rowsIn(command, access)
    for (const { id } of rows) await access.require(caller, BULK_CHANGES[change].guarded, id)
    if (change === 'delete') await requests.settled()
    const found = await Promise.all(rows.map((row) => this.#find(row, change)))
    const some = found.some(({ user }) => user !== undefined && isAdministrator(user))
    const administrators = some ? (await readers.users.countWithRole(ADMIN)) - before : 0
    const foreseen = foresee(change, found, command, { administrators, now: clock.now() })
    const grace = change === 'delete' ? this.ports.deleteGrace : 0
    const outcomes = await Promise.all(
      foreseen.rows.map(async (row) => ({ ...row, ours: await oursIn(this.ports, row, caller) })),
    )
    return { rows: outcomes, administratorsRemoved: before + foreseen.administratorsGone, grace }
  }

  async #find(row: BulkRow, change: BulkChange): Promise<FoundRow> {
    const { clock, erasure, readers } = this.ports
    const id = asUserId(row.id)
    const user = id && (await readers.users.find(id))
    const isDeleted = !user && id !== undefined && (await readers.tombstones.find(id)) !== undefined
    const kept = isDeleted && change === 'restore' ? await readers.heldUsers.find(id) : undefined
    const held = kept && kept.erasesAt > clock.now() ? kept.user : undefined
    if (!user) return { row, user, isDeleted, held, subscriptions: 0 }
    const subscriptions = change === 'delete' ? await erasure.countOfAddress(readers, user.emailKey) : 0
    return { row, user, isDeleted, subscriptions, state: stateIn(this.ports, user, change) }
  }
}

/**
 * Everything that is published of a user, and how long a deletion can be undone: another one as soon as either is
 * different.
 */
const stateIn = (
  { digests, deleteGrace }: Pick<Dependencies, 'digests' | 'deleteGrace'>,
  user: User,
  change: BulkChange,
): string => digests.sha256(JSON.stringify([userState(user), change === 'delete' ? deleteGrace : 0]))

/** Whether the caller has deleted the user, by the same request or plan; undefined if it is not deleted. */
export const wasOurs = async (
  { readers }: { readonly readers: Pick<Readers, 'audit' | 'tombstones'> },
  userId: string,
  { requestId }: Pick<Caller, 'requestId'>,
): Promise<boolean | undefined> => {
  const id = asUserId(userId)
  const tombstone = id && (await readers.tombstones.find(id))
  if (!tombstone) return undefined
  return requestId !== undefined && (await readers.audit.find(tombstone.audit))?.requestId === requestId
}

/** The same of one that is refused; undefined if not for its deletion. */
const oursIn = async (
  ports: Parameters<typeof wasOurs>[0],
  { id, refusal }: Pick<PlannedRow, 'id' | 'refusal'>,
  caller: Caller,
): Promise<boolean | undefined> => (refusal instanceof UserDeleted ? await wasOurs(ports, id, caller) : undefined)

/**
 * Changes many users, each in a transaction of its own; together they share what a commit costs. One that was changed
 * before is so again, so what was interrupted is done by asking again.
 */
export class ChangeUsersUseCase extends UseCase<
  'access' | 'clock' | 'deleteGrace' | 'digests',
  'audit' | 'heldUsers' | 'tombstones' | 'users'
> {
  readonly #useCases: Parameters<(typeof BULK_CHANGES)[BulkChange]['carryOut']>[0]

  constructor(all: Dependencies) {
    super(all)
    this.#useCases = {
      changeRoles: new ChangeUserRolesUseCase(all),
      delete: new DeleteUserUseCase(all),
      restore: new RestoreUserUseCase(all),
      resume: new ResumeUserUseCase(all),
      suspend: new SuspendUserUseCase(all),
    }
  }

  /**
   * What became of each, in their order. What refuses one user is in its row.
   * @throws {InvalidInput} there are no users, or too many, or a role is unknown, or the reason says who one of them is
   * @throws what would refuse all of them, when nothing is under way any more
   */
  async execute(command: BulkChangeCommand, caller: Caller): Promise<readonly ChangedRow[]> {
    const given = rowsIn(command, this.ports.access)
    await this.#requireDiscreetReason(command, given, caller)
    const settled = await Promise.allSettled(given.map((row) => this.#change(command, row, caller)))
    const rows = settled.map((each) => {
      if (each.status === 'rejected') throw each.reason
      return each.value
    })
    const forbidden = rows.filter(({ refusal }) => refusal instanceof InsufficientPermissions)
    if (forbidden.length === rows.length) throw forbidden[0]?.refusal
    const unknown = rows.find(({ refusal }) => refusal instanceof Unauthenticated)
    if (unknown && rows.every(({ outcome }) => outcome !== 'changed')) throw unknown.refusal
    return rows
  }

  /**
   * The reason is stored in the record of each, and there it must not say who another one is. Nothing is told of those
   * whom the caller may not change.
   */
  async #requireDiscreetReason(
    { change, reason }: BulkChangeCommand,
    rows: readonly BulkRow[],
    caller: Caller,
  ): Promise<void> {
    if (reason === undefined) return
    const { access, readers } = this.ports
    const { permission } = BULK_CHANGES[change].guarded
    const allowed = await Promise.all(rows.map(({ id }) => access.allows(caller, permission, id)))
    const shown = rows.filter((_, n) => allowed[n])
    const find = async ({ id }: BulkRow) => {
      const userId = asUserId(id)
      if (userId === undefined) return undefined
      const held = change === 'restore' ? await readers.heldUsers.find(userId) : undefined
      return (await readers.users.find(userId)) ?? held?.user
    }
    for (const user of await Promise.all(shown.map(find)))
      if (user) parseReason(reason, { whose: `user ${user.id}'s`, ...identityOf(user) })
  }

  async #change({ change, rows: _, ...terms }: BulkChangeCommand, row: BulkRow, caller: Caller): Promise<ChangedRow> {
    const { id } = row
    const held = heldTo(row, (user) => ({ state: stateIn(this.ports, user, change) }))
    try {
      const made: CarriedOut = await BULK_CHANGES[change].carryOut(this.#useCases, id, { ...terms, ...held }, caller)
      if (made.isSame) return { id, outcome: 'same' }
      const { subscriptionsErased, subscriptionsKept, erasesAt } = made
      return { id, outcome: 'changed', subscriptionsErased, subscriptionsKept, erasesAt }
    } catch (refusal) {
      if (!refusesOne(refusal)) throw refusal
      if (refusal instanceof PreconditionFailed && (await this.#isSame(change, id, terms)))
        return { id, outcome: 'same' }
      return { id, outcome: 'refused', refusal, ours: await oursIn(this.ports, { id, refusal }, caller) }
    }
  }

  async #isSame(change: BulkChange, userId: string, terms: BulkTerms): Promise<boolean> {
    const id = asUserId(userId)
    const user = id && (await this.ports.readers.users.find(id))
    return user !== undefined && isAlreadySo(change, user, terms, this.ports.clock.now())
  }
}
