import type { AccessTokenStore, Stores, UserId } from '@rollcall/core'
import type { ConsoleSessionStore, LoginLinkStore } from '@rollcall/core/all'
import { keyOf } from '../lock-keys.ts'
import type { Account } from './audited-reads.ts'
import type { SharedUnit } from './shared-unit.ts'

type AuditedStores = Pick<Stores, 'audit' | 'heldUsers' | 'tombstones' | 'users'> & {
  readonly accessTokens: Pick<AccessTokenStore, 'eraseOf'>
  readonly consoleSessions: Pick<ConsoleSessionStore, 'eraseOf'>
  readonly loginLinks: Pick<LoginLinkStore, 'eraseOf'>
}

/** What may be changed of an account, each once. */
type Part = 'user' | 'tombstone' | 'held' | 'tokens' | 'sessions' | 'links'

/** An account that a unit has looked at. */
interface Looked {
  readonly found: Promise<Account>
  readonly changed: Part[]
}

/**
 * The stores as far as a change of a user and its record in the trail need them. A unit sees nothing that another in its
 * batch has written, nor what it has written itself: looking at that aborts it.
 */
export const auditedStores = (unit: SharedUnit): AuditedStores => {
  const abort = () => unit.abort()
  const { writes, looked } = unit

  const accounts = new Map<string, Looked>()
  // Not an async function, and the same promise each time: a change of one user looks many times.
  const look = (part: Part, id: UserId): Promise<Account> => {
    const refusal = unit.refusal('begin')
    if (refusal !== undefined) return refusal
    const known = accounts.get(id)
    if (known !== undefined) return known.changed.includes(part) ? abort() : known.found
    const found = unit.joined.promise.then(({ reads }) => reads.accounts.find(id))
    accounts.set(id, { found, changed: [] })
    looked.push(keyOf.user(id))
    return found
  }
  /** Of an account that it has looked at; false where it has done so before: what is written twice needs an order. */
  const change = (part: Part, id: UserId): boolean => {
    const account = accounts.get(id)
    if (account === undefined || account.changed.includes(part)) return false
    account.changed.push(part)
    unit.change(keyOf.user(id))
    return true
  }

  const eraseLogins = (part: Part, erased: UserId[]) => async (subject: string) => {
    const id = subject as UserId
    const { user, hasLogins } = await look(part, id)
    if (user === undefined) return await abort()
    if (!hasLogins) return
    if (!change(part, id)) await abort()
    erased.push(id)
  }

  /** Of its first record, if it has looked at one account: that is what the record is about. */
  const recordId = async (): Promise<number> => {
    const [account, another] = accounts.values()
    if (account !== undefined && another === undefined && writes.records.length === 0)
      return (await account.found).recordId
    return await (await unit.join()).reads.recordIds.find()
  }

  return {
    consoleSessions: { eraseOf: eraseLogins('sessions', writes.erasedSessionsOf) },
    loginLinks: { eraseOf: eraseLogins('links', writes.erasedLinksOf) },
    accessTokens: {
      eraseOf: async (subject) => {
        const id = subject as UserId
        const { user, tokens } = await look('tokens', id)
        // How many there are was looked for with the user.
        if (user === undefined) return await abort()
        if (tokens === 0) return 0
        if (!change('tokens', id)) await abort()
        writes.erasedTokensOf.push(id)
        return tokens
      },
    },
    audit: {
      append: async (entry) => {
        await unit.join('begin')
        const id = await recordId()
        writes.records.push({ id, entry })
        return id
      },
      newestSeal: abort,
      seal: abort,
      list: abort,
      unsealed: abort,
      find: abort,
      seals: abort,
      head: abort,
    },
    heldUsers: {
      // A unit that holds the id of a user that is stored has locked it.
      add: async (held) => {
        const { user } = await look('held', held.user.id)
        if (user === undefined) await abort()
        if (!change('held', held.user.id)) await abort()
        writes.heldUsers.push(held)
      },
      find: abort,
      remove: abort,
      due: abort,
    },
    tombstones: {
      find: async (id) => (await look('tombstone', id)).tombstone,
      has: async (id) => (await look('tombstone', id)).tombstone !== undefined,
      put: async (id, tombstone) => {
        await look('tombstone', id)
        if (!change('tombstone', id)) await abort()
        writes.tombstones.push({ id, tombstone })
      },
      list: abort,
      remove: abort,
    },
    users: {
      find: async (id) => (await look('user', id)).user,
      put: async (user) => {
        const { seq, user: current, tombstone } = await look('user', user.id)
        if (tombstone !== undefined) await abort()
        if (current?.emailKey !== user.emailKey) {
          const { emails } = (await unit.join()).reads
          looked.push(`email ${user.emailKey}`)
          // A transaction of its own decides, by the unique index, and then only this unit is undone.
          if (await emails.find(user.emailKey)) await abort()
          if (!unit.change(`email ${user.emailKey}`)) await abort()
        }
        if (!change('user', user.id)) await abort()
        writes.users.push({ seq, user })
      },
      erase: async (id) => {
        const { user } = await look('user', id)
        if (user === undefined) return
        if (!change('user', id)) await abort()
        writes.erasedUsers.push(id)
      },
      accountStatus: abort,
      noteSeen: abort,
      list: abort,
      // Others that have the role may be erased, or put, in the same batch.
      countWithRole: abort,
    },
  }
}
