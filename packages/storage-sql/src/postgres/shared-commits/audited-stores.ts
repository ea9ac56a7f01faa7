import type { AccessTokenStore, Stores, UserId } from '@rollcall/core'
import type { ConsoleSessionStore, LoginLinkStore } from '@rollcall/core/all'
import type { Account } from './audited-reads.ts'
import type { SharedUnit } from './shared-unit.ts'

type AuditedStores = Pick<Stores, 'audit' | 'heldUsers' | 'tombstones' | 'users'> & {
  readonly accessTokens: Pick<AccessTokenStore, 'eraseOf'>
  readonly consoleSessions: Pick<ConsoleSessionStore, 'eraseOf'>
  readonly loginLinks: Pick<LoginLinkStore, 'eraseOf'>
}

/**
 * The stores as far as a change of a user and its record in the trail need them. A unit sees nothing that another in its
 * batch has written, nor what it has written itself, but for the end of the trail: looking at that aborts it.
 */
export const auditedStores = (unit: SharedUnit): AuditedStores => {
  const abort = () => unit.abort()
  const { writes, looked, changed } = unit

  // Not an async function: a change of one user looks many times.
  const look = (key: string, id: UserId): Promise<Account> => {
    if (changed.has(key)) return abort()
    looked.add(key)
    return unit.join('audited').then(({ reads }) => reads.accounts.find(id))
  }
  // What the unit writes twice needs an order.
  const change = async (key: string): Promise<void> => {
    if (changed.has(key)) await abort()
    changed.add(key)
  }

  const eraseLogins = (kind: string, erased: UserId[]) => async (subject: string) => {
    const key = `${kind} of ${subject}`
    const { user, hasLogins } = await look(key, subject as UserId)
    if (user === undefined) return await abort()
    if (!hasLogins) return
    await change(key)
    erased.push(user.id)
  }

  return {
    consoleSessions: { eraseOf: eraseLogins('sessions', writes.erasedSessionsOf) },
    loginLinks: { eraseOf: eraseLogins('links', writes.erasedLinksOf) },
    accessTokens: {
      eraseOf: async (subject) => {
        const key = `tokens of ${subject}`
        const { user, tokens } = await look(key, subject as UserId)
        // How many there are was looked for with the user.
        if (user === undefined) return await abort()
        if (tokens === 0) return 0
        await change(key)
        writes.erasedTokensOf.push(user.id)
        return tokens
      },
    },
    audit: {
      last: async () => await (await unit.join('audited')).trail.last(unit),
      append: async (record) => {
        const before = await (await unit.join('audited')).trail.last(unit)
        const last = writes.records.at(-1) ?? before
        if (record.sequence !== (last?.sequence ?? 0) + 1) await abort()
        writes.records.push(record)
      },
      addCheckpoint: async (checkpoint) => {
        await unit.join('audited')
        await change(`checkpoint ${checkpoint.sequence}`)
        // A seal on a record of this unit is newer than every other.
        if (checkpoint.sequence !== writes.records.at(-1)?.sequence) await abort()
        writes.checkpoints.push(checkpoint)
      },
      lastCheckpoint: abort,
      list: abort,
      checkpoints: abort,
      head: abort,
    },
    heldUsers: {
      // A unit that holds the id of a user that is stored has locked it.
      add: async (held) => {
        const { user } = await look(`held ${held.user.id}`, held.user.id)
        if (user === undefined) await abort()
        await change(`held ${held.user.id}`)
        writes.heldUsers.push(held)
      },
      find: abort,
      remove: abort,
      due: abort,
    },
    tombstones: {
      find: async (id) => (await look(`tombstone ${id}`, id)).tombstone,
      has: async (id) => (await look(`tombstone ${id}`, id)).tombstone !== undefined,
      put: async (id, tombstone) => {
        await look(`tombstone ${id}`, id)
        await change(`tombstone ${id}`)
        writes.tombstones.push({ id, tombstone })
      },
      list: abort,
      remove: abort,
    },
    users: {
      find: async (id) => (await look(`user ${id}`, id)).user,
      put: async (user) => {
        const { seq, user: current } = await look(`user ${user.id}`, user.id)
        if (current?.emailKey !== user.emailKey) {
          const { emails } = (await unit.join('audited')).reads
          looked.add(`email ${user.emailKey}`)
          // A transaction of its own decides, by the unique index, and then only this unit is undone.
          if (await emails.find(user.emailKey)) await abort()
          await change(`email ${user.emailKey}`)
        }
        await change(`user ${user.id}`)
        writes.users.push({ seq, user })
      },
      erase: async (id) => {
        const { user } = await look(`user ${id}`, id)
        if (user === undefined) return
        await change(`user ${id}`)
        writes.erasedUsers.push(id)
      },
      accountStatus: abort,
      list: abort,
      // Others that have the role may be erased, or put, in the same batch.
      countWithRole: abort,
    },
  }
}
