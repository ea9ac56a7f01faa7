import type { AddressHash, Stores, SubscriptionId } from '@rollcall/core'
import type { SharedReads } from './shared-reads.ts'
import type { SharedWrites } from './shared-writes.ts'

/** What the stores need of the unit that they belong to. */
export interface JoinedUnit {
  readonly writes: SharedWrites
  /** Keys of what it has looked at and others may write. */
  readonly looked: Set<string>
  /** What the batch reads, as soon as it has begun. */
  reads(): Promise<SharedReads>
  /** Rejects, so that the work unwinds; the unit is then run again in an exclusive transaction. */
  abort(): Promise<never>
}

/**
 * The stores as far as new sign-ups need them, and mails that were sent: what they find is absent, or changes seldom, or
 * belongs to them alone; what they write is new. Everything else aborts the unit.
 */
export const sharedStores = (unit: JoinedUnit): Stores => {
  const abort = () => unit.abort()
  const { writes, looked } = unit
  const free = new Set<SubscriptionId>()
  const asked = new Set<AddressHash>()

  return {
    feeds: {
      find: async (name) => await (await unit.reads()).feeds.find(name),
      list: abort,
      put: abort,
      remove: abort,
    },
    suppressions: {
      find: async (address) => {
        // A unit that asks for a second one takes in a file, and will write more than one sign-up does.
        if (asked.size > 0 && !asked.has(address)) return await abort()
        asked.add(address)
        return await (await unit.reads()).suppressions.find(address)
      },
      list: abort,
      add: abort,
      remove: abort,
    },
    subscriptions: {
      find: abort,
      findEvidence: abort,
      list: abort,
      listEvidence: abort,
      locate: async (identity) => {
        const id = identity.candidate(0)
        const reads = await unit.reads()
        looked.add(`subscription ${id}`)
        if (!(await reads.free.find({ id, fingerprint: identity.fingerprint }))) return await abort()
        if (writes.subscriptions.has(id)) return await abort()
        free.add(id)
        return { id, subscription: undefined }
      },
      put: async (subscription) => {
        const { id } = subscription
        const begun = writes.subscriptions.get(id)
        if (begun !== undefined) begun.subscription = subscription
        else if (!free.has(id) || writes.subscriptions.size > 0) await abort()
        else writes.subscriptions.set(id, { subscription, consents: [] })
      },
      erase: abort,
      expired: abort,
    },
    consents: {
      append: async (id, record) => {
        const begun = writes.subscriptions.get(id) ?? (await abort())
        begun.consents.push(record)
      },
      last: abort,
      countRepetition: abort,
      list: abort,
    },
    outbox: {
      find: abort,
      list: abort,
      health: abort,
      depth: abort,
      add: async (mail) => {
        if (writes.mails.length > 0) await abort()
        const reads = await unit.reads()
        const id = await reads.mailIds.find()
        writes.mails.push({ id, mail })
        return id
      },
      remove: abort,
      claim: abort,
      renew: abort,
      settle: async (id, owner) => {
        const reads = await unit.reads()
        looked.add(`outbox ${id}`)
        if (!(await reads.held.find({ id, owner }))) return await abort()
        writes.settled.push(id)
        return true
      },
      postpone: abort,
      park: abort,
      retry: abort,
      reschedule: abort,
    },
    events: {
      list: abort,
      append: async (event) => {
        await unit.reads()
        writes.events.push(event)
      },
      prune: abort,
    },
    signUpCounts: {
      count: abort,
      add: async (outcome, count = 1) => {
        await unit.reads()
        writes.counts.push({ outcome, count })
      },
    },
    spentChallenges: {
      spend: async (id, expiresAt) => {
        const reads = await unit.reads()
        looked.add(`challenge ${id}`)
        if (writes.challenges.some((spent) => spent.id === id) || (await reads.spent.find(id))) return false
        writes.challenges.push({ id, expiresAt })
        return true
      },
      prune: abort,
    },
    audit: {
      head: abort,
      list: abort,
      checkpoints: abort,
      last: abort,
      append: abort,
      lastCheckpoint: abort,
      addCheckpoint: abort,
    },
    heldUsers: { add: abort, find: abort, remove: abort, due: abort },
    keptMails: { add: abort, list: abort },
    mailCaps: { slots: abort, put: abort, prune: abort },
    tombstones: { find: abort, list: abort, put: abort, has: abort, remove: abort },
    users: { find: abort, accountStatus: abort, list: abort, countWithRole: abort, put: abort, erase: abort },
    webhooks: { find: abort, list: abort, put: abort, remove: abort },
    webhookDeliveries: {
      find: abort,
      list: abort,
      due: abort,
      health: abort,
      depth: abort,
      progress: abort,
      putProgress: abort,
      waiting: abort,
      add: abort,
      claim: abort,
      renew: abort,
      settle: abort,
      postpone: abort,
      park: abort,
      retry: abort,
      retryAll: abort,
      prune: abort,
    },
  }
}
