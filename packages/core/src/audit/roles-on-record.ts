import type { AuditAction } from '../access/access-control.ts'
import type { Digests } from '../platform/digests.ts'
import type { Readers } from '../readers.ts'
import { asUserId, type User, type UserId } from '../users/user.ts'
import { type AuditRecord, DONE } from './audit-store.ts'
import { rolesHashOf } from './roles-hash.ts'

/** What the last record about a user says; no hash once a backup was restored, until the user is on record again. */
interface OnRecord {
  readonly sequence: number
  readonly hash: string | undefined
}

export interface RolesMismatch {
  /** The last record about the user; 0 if there is none, or it is not sealed. */
  readonly sequence: number
  readonly user: UserId
}

const STRETCH = 200

/** What leaves a user with the roles, and suspended or not, as its record says. */
const SAY_ROLES: ReadonlySet<AuditAction> = new Set([
  ...(['user.import', 'user.put', 'user.record', 'user.restore', 'user.resume', 'user.suspend'] as const),
])

/** Compares the users with what the trail says of their roles. */
export class RolesOnRecord {
  readonly #readers: Pick<Readers, 'audit' | 'users'>
  readonly #digests: Digests
  readonly #users = new Map<UserId, OnRecord>()
  #last = 0

  constructor(readers: Pick<Readers, 'audit' | 'users'>, digests: Digests) {
    this.#readers = readers
    this.#digests = digests
  }

  /** To be called with every record of the trail in turn; returns whether it agrees with those before. */
  agrees({ action, outcome, target, sequence, rolesHash: hash }: AuditRecord): boolean {
    this.#last = sequence ?? this.#last
    if (outcome !== DONE) return true
    if (action === 'database.restore')
      for (const [id, { sequence }] of this.#users) this.#users.set(id, { sequence, hash: undefined })
    const id = target === undefined ? undefined : asUserId(target)
    if (id === undefined) return true
    if (action === 'user.delete') this.#users.delete(id)
    if (action === 'user.record' && (this.#users.get(id)?.hash ?? hash) !== hash) return false
    if (!SAY_ROLES.has(action)) return true
    this.#users.set(id, { sequence: sequence ?? 0, hash })
    // Whoever adds a record by SQL has no key to make a hash with.
    return hash !== undefined
  }

  /** To be asked at the end of the trail, in pieces. */
  async *firstMismatch(): AsyncGenerator<void, RolesMismatch | undefined> {
    const { users } = this.#readers
    if (users.keptByHost) return undefined
    const missing = new Set(this.#users.keys())
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: Awaited<ReturnType<typeof users.list>> = await users.list({ after, limit: STRETCH })
      for (const user of page.items) {
        missing.delete(user.id)
        if (!this.#isAsRecorded(user.id, user) && (await this.#staysDifferent(user.id))) return this.#mismatch(user.id)
      }
      after = page.next
      yield
    }
    for (const id of missing)
      if (!this.#isAsRecorded(id, undefined) && (await this.#staysDifferent(id))) return this.#mismatch(id)
    return undefined
  }

  #mismatch(user: UserId): RolesMismatch {
    return { sequence: this.#users.get(user)?.sequence ?? 0, user }
  }

  #isAsRecorded(id: UserId, user: User | undefined): boolean {
    const recorded = this.#users.get(id)
    if (user === undefined) return recorded?.hash === undefined
    return recorded !== undefined && recorded.hash === rolesHashOf(this.#digests, user)
  }

  /** A user may have changed while the trail was read: then the trail has gone on, with a record of that. */
  async #staysDifferent(id: UserId): Promise<boolean> {
    for (;;) {
      const user = await this.#readers.users.find(id)
      const { items } = await this.#readers.audit.list({ after: this.#last, limit: STRETCH })
      const { items: unsealed } = await this.#readers.audit.unsealed({ after: 0, limit: STRETCH })
      for (const record of [...items, ...unsealed]) this.agrees(record)
      if (this.#isAsRecorded(id, user)) return false
      if (items.length === 0) return true
    }
  }
}
