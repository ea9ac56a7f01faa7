import type { AuditAction } from '../access/access-control.ts'
import { eachOf } from '../page.ts'
import type { Digests } from '../platform/digests.ts'
import type { Readers } from '../readers.ts'
import { asUserId, type User, type UserId } from '../users/user.ts'
import { type AuditRecord, DONE } from './audit-store.ts'
import { rolesHashOf } from './roles-hash.ts'

/** What the last record about a user says; no hash once a backup was restored, until the user is on record again. */
interface OnRecord {
  readonly id: number
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
  agrees({ id, action, outcome, target, sequence, rolesHash: hash }: AuditRecord): boolean {
    this.#last = sequence ?? this.#last
    if (outcome !== DONE) return true
    if (action === 'database.restore')
      for (const [user, recorded] of this.#users) this.#users.set(user, { ...recorded, hash: undefined })
    const user = target === undefined ? undefined : asUserId(target)
    if (user === undefined) return true
    if (action === 'user.delete') this.#users.delete(user)
    if (action === 'user.record' && (this.#users.get(user)?.hash ?? hash) !== hash) return false
    if (!SAY_ROLES.has(action)) return true
    this.#users.set(user, { id, sequence: sequence ?? 0, hash })
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

  /** A user may have changed while the trail was read, and again: then the trail has gone on, with a record of that. */
  async #staysDifferent(id: UserId): Promise<boolean> {
    for (;;) {
      const before = this.#users.get(id)
      const user = await this.#readers.users.find(id)
      await this.#readOn()
      if (this.#isAsRecorded(id, user)) return false
      if (this.#users.get(id)?.id !== before?.id) continue
      // One that came and went meanwhile is in neither.
      const isGone = user !== undefined && (await this.#readers.users.find(id)) === undefined
      if (!isGone) return true
    }
  }

  /** To the end of the trail, and all that is not sealed: in the order in which it was or will be. */
  async #readOn(): Promise<void> {
    const { audit } = this.#readers
    for (;;) {
      const { items } = await audit.list({ after: this.#last, limit: STRETCH })
      for (const record of items) this.agrees(record)
      if (items.length > 0) continue
      for await (const record of eachOf((stretch) => audit.unsealed(stretch))) this.agrees(record)
      // What was sealed between these reads may be in neither.
      if ((await audit.list({ after: this.#last, limit: 1 })).items.length === 0) return
    }
  }
}
