import type { Guarded } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { DomainError, PreconditionFailed, Unavailable, UserDeleted, UserNotFound } from '../errors.ts'
import type { Instant } from '../instant.ts'
import type { Precondition } from '../precondition.ts'
import { ChangeUserRolesUseCase } from '../users/change-user-roles-use-case.ts'
import {
  decideDeletion,
  decideResumption,
  decideRoles,
  decideSuspension,
  type RoleChange,
  type UserChange,
  type UserFacts,
} from '../users/decide-user-change.ts'
import { DeleteUserUseCase, type DeletionReport } from '../users/delete-user-use-case.ts'
import { RestoreUserUseCase } from '../users/restore-user-use-case.ts'
import { ResumeUserUseCase, SuspendUserUseCase } from '../users/suspend-user-use-case.ts'
import { isAdministrator, parseDeletionReason, type User } from '../users/user.ts'
import type { MadeUserChange } from '../users/user-changes.ts'

/** What every user of a list is changed by. */
export interface BulkTerms extends RoleChange {
  /** Why, for the trail; must not contain the name or the address of any of the users. */
  readonly reason?: string | undefined
  /** Of a deletion: what becomes of subscriptions of the same addresses. */
  readonly subscriptions?: 'keep' | 'erase' | undefined
}

/** A user of a list. If a plan found it, it is changed only while it is as it was then. */
export interface BulkRow {
  readonly id: string
  /** As the plan has it; opaque. */
  readonly state?: string | undefined
  /** How many subscriptions of the same address there were. */
  readonly subscriptions?: number | undefined
}

interface HeldTo {
  readonly precondition?: Precondition<User> | undefined
  readonly subscriptionsExpected?: number | undefined
}

interface BulkUseCases {
  readonly changeRoles: ChangeUserRolesUseCase
  readonly delete: DeleteUserUseCase
  readonly restore: RestoreUserUseCase
  readonly resume: ResumeUserUseCase
  readonly suspend: SuspendUserUseCase
}

/** What a deletion did to subscriptions of the same address, and until when it can be undone. */
export type BulkReport = Partial<Pick<DeletionReport, 'erasesAt' | 'subscriptionsErased' | 'subscriptionsKept'>>

/** The same of one user, or that it was so already. */
export type CarriedOut = BulkReport & Pick<MadeUserChange, 'isSame'>

interface BulkFacts extends UserFacts {
  /** Who would come back, while its deletion can still be undone. */
  readonly held?: User | undefined
}

interface Change {
  readonly guarded: Guarded
  /** What undoes it. */
  readonly undo?: BulkChange
  /** What it would do; undefined for a user who would come back. */
  readonly decide: (facts: BulkFacts, terms: BulkTerms & HeldTo, now: Instant) => UserChange | undefined
  readonly carryOut: (
    useCases: BulkUseCases,
    userId: string,
    terms: BulkTerms & HeldTo,
    caller: Caller,
  ) => Promise<CarriedOut>
}

/** What can be done to many users at once. */
export type BulkChange = 'delete' | 'restore' | 'suspend' | 'resume' | 'roles'

/** What would be in its way otherwise, such as another user with its address, only the storage knows. */
const decideRestoration = ({ user, isDeleted, held }: BulkFacts, { reason }: BulkTerms): UserChange | undefined => {
  const found = user ?? held
  if (found === undefined) throw isDeleted ? new UserDeleted() : new UserNotFound()
  parseDeletionReason(reason, found)
  return user && { kind: 'none', user }
}

export const BULK_CHANGES = {
  delete: {
    guarded: DeleteUserUseCase,
    undo: 'restore',
    decide: decideDeletion,
    carryOut: (useCases, userId, terms, caller) => useCases.delete.execute({ ...terms, userId }, caller),
  },
  restore: {
    guarded: RestoreUserUseCase,
    decide: decideRestoration,
    carryOut: (useCases, userId, { reason }, caller) => useCases.restore.change({ userId, reason }, caller),
  },
  suspend: {
    guarded: SuspendUserUseCase,
    undo: 'resume',
    decide: decideSuspension,
    carryOut: (useCases, userId, terms, caller) => useCases.suspend.change({ ...terms, userId }, caller),
  },
  resume: {
    guarded: ResumeUserUseCase,
    undo: 'suspend',
    decide: decideResumption,
    carryOut: (useCases, userId, terms, caller) => useCases.resume.change({ ...terms, userId }, caller),
  },
  roles: {
    guarded: ChangeUserRolesUseCase,
    decide: decideRoles,
    carryOut: (useCases, userId, terms, caller) => useCases.changeRoles.change({ ...terms, userId }, caller),
  },
} as const satisfies Readonly<Record<BulkChange, Change>>

/** A user of a list as it was found. */
export interface FoundRow {
  readonly row: BulkRow
  readonly user: User | undefined
  readonly isDeleted: boolean
  /** Of a restoration: who would come back. */
  readonly held?: User | undefined
  /** As a plan would have it now; of a user who is there. */
  readonly state?: string | undefined
  /** How many subscriptions of the same address there are; 0 if the change leaves them alone. */
  readonly subscriptions: number
}

interface Refusable {
  readonly refusal?: DomainError | undefined
  /** Of a deleted user: the one who asks has deleted it, by the same request or plan. */
  readonly ours?: boolean | undefined
}

/** What would become of one. */
export interface PlannedRow extends Refusable, Omit<FoundRow, 'row' | 'isDeleted' | 'held'> {
  readonly id: string
  /** `same`: it is so already. */
  readonly outcome: 'would-change' | 'same' | 'refused'
}

/**
 * What the changes would do as things stand, one after another: of the last two administrators only one can go.
 * @param administrators how many there are before the first
 */
export const foresee = (
  change: BulkChange,
  found: readonly FoundRow[],
  terms: BulkTerms,
  { administrators, now }: { readonly administrators: number; readonly now: Instant },
): { readonly rows: readonly PlannedRow[]; readonly administratorsGone: number } => {
  const { decide }: Change = BULK_CHANGES[change]
  let administratorsGone = 0
  const rows = found.map(({ row, isDeleted, held, ...seen }): PlannedRow => {
    const planned = { ...seen, id: row.id }
    try {
      const facts = { user: seen.user, isDeleted, held, administrators: administrators - administratorsGone }
      const made = decide(facts, { ...terms, ...heldTo(row, () => seen) }, now)
      if (made?.kind === 'none') return { ...planned, outcome: 'same' }
      if (seen.user !== undefined && isAdministrator(seen.user) && !leavesIt(made)) administratorsGone++
      return { ...planned, outcome: 'would-change' }
    } catch (error) {
      if (error instanceof PreconditionFailed && seen.user !== undefined && isAlreadySo(change, seen.user, terms, now))
        return { ...planned, outcome: 'same' }
      if (error instanceof DomainError) return { ...planned, outcome: 'refused', refusal: error }
      throw error
    }
  })
  return { rows, administratorsGone }
}

/** Whether the user is by now as the change would have it: as an earlier run of the same plan left it. */
export const isAlreadySo = (
  change: BulkChange,
  user: User,
  { reason: _, ...terms }: BulkTerms,
  now: Instant,
): boolean => {
  const { decide }: Change = BULK_CHANGES[change]
  return decide({ user, isDeleted: false, administrators: undefined }, terms, now)?.kind === 'none'
}

const leavesIt = (made: UserChange | undefined): boolean => made?.kind === 'store' && isAdministrator(made.user)

/** The conditions that a plan puts on a change. */
export const heldTo = (
  { state, subscriptions }: BulkRow,
  seen: (user: User) => Pick<FoundRow, 'state'> & Partial<Pick<FoundRow, 'subscriptions'>>,
): HeldTo => {
  if (state === undefined && subscriptions === undefined) return {}
  const precondition = (user: User | undefined): boolean => {
    if (user === undefined) return false
    const now = seen(user)
    return (
      (state === undefined || now.state === state) &&
      (now.subscriptions === undefined || subscriptions === undefined || now.subscriptions === subscriptions)
    )
  }
  return { precondition, subscriptionsExpected: subscriptions }
}

/**
 * Whether an error refuses this one user; any other would refuse the next as well. A policy may refuse some of
 * them, and all that are left once the caller itself was one: what became of the others must be told.
 */
export const refusesOne = (error: unknown): error is DomainError =>
  error instanceof DomainError && !(error instanceof Unavailable)

/** What became of one. */
export interface ChangedRow extends Refusable, BulkReport {
  readonly id: string
  /** `same`: it was so already. */
  readonly outcome: 'changed' | 'same' | 'refused'
}
