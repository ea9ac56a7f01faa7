import { type AddressHash, mergedSuppressions, type Stores, type SubscriptionId } from '@rollcall/core'
import { type SubscriptionRow, toSubscription } from '../../tables/subscriptions.ts'
import { isOf } from '../stores/subscriptions.ts'
import { auditedStores } from './audited-stores.ts'
import { erasingStores } from './erasing-stores.ts'
import { LOCKED } from './known-reads.ts'
import type { SharedUnit } from './shared-unit.ts'

/** The place of what is not stored: nothing is there. */
const ABSENT = -1

/**
 * The stores as far as sign-ups need them, whatever is known of the address, and mails that were sent: what they find is
 * locked, or changes seldom, or belongs to them alone. With them, changes of users, and of the subscriptions that a
 * deletion erases. Everything else aborts the unit.
 * `ownUsers`: whether users are kept in the tables of this project, and not by a host.
 */
export const sharedStores = (unit: SharedUnit, ownUsers: boolean): Stores => {
  const abort = () => unit.abort()
  const { writes, looked, changed } = unit
  /** What it has found under each id: nothing where that is free. */
  const located = new Map<SubscriptionId, SubscriptionRow | undefined>()
  let asked: AddressHash | undefined
  /** Of a subscription that this unit changes, and whose ledger it has not written yet. */
  const placeToWrite = async (id: SubscriptionId): Promise<number> => {
    const { changed: changes, consents, repetitions } = writes.known
    const place = changes.has(id) ? located.get(id)?.seq : undefined
    if (place === undefined || repetitions.includes(place)) return await abort()
    return consents.some((one) => one.place === place) ? await abort() : place
  }
  // Every method but the known ones aborts.
  const handler = { get: (known: object, name: string | symbol) => Reflect.get(known, name) ?? abort }
  const only = (known: object) => new Proxy(known, handler) as never
  const other = only({})
  const { accessTokens, audit, consoleSessions, heldUsers, loginLinks, tombstones, users } = auditedStores(unit)
  const erasing = erasingStores(unit, located)

  return {
    accessTokens: only(accessTokens),
    feeds: {
      find: async (name) => await (await unit.join()).reads.feeds.find(name),
      list: async (stretch) => await (await unit.join()).reads.feedPages(stretch),
      put: abort,
      remove: abort,
    },
    suppressions: {
      find: async (address, mailbox = address) => {
        // A unit that asks for a second one takes in a file, and will write more than one sign-up does.
        if (asked !== undefined && asked !== address) return await abort()
        asked = address
        const { suppressions } = (await unit.join()).reads
        const general = mailbox === address ? undefined : suppressions.find(mailbox)
        const [own, ofMailbox] = await Promise.all([suppressions.find(address), general])
        return mergedSuppressions(own, ofMailbox)
      },
      findMany: abort,
      list: abort,
      blockedPrefixes: abort,
      blocked: abort,
      add: abort,
      remove: abort,
    },
    subscriptions: {
      countConfirmed: abort,
      find: abort,
      findMany: abort,
      recipients: abort,
      findEvidence: abort,
      list: abort,
      listEvidence: abort,
      locate: async (identity) => {
        const id = identity.candidate(0)
        const { reads } = await unit.join()
        if (!reads.hasRoom()) return await abort()
        looked.push(`subscription ${id}`)
        const { isFree, row } = await reads.candidates.find({ id, fingerprint: identity.fingerprint })
        if (writes.subscriptions.has(id) || changed.includes(`subscription ${id}`)) return await abort()
        if (row && isOf(identity, row)) {
          located.set(id, row)
          return { id, subscription: toSubscription(row) }
        }
        if (!isFree) return await abort()
        located.set(id, undefined)
        return { id, subscription: undefined }
      },
      put: async (subscription) => {
        const { id } = subscription
        const begun = writes.subscriptions.get(id)
        const row = located.get(id)
        if (begun !== undefined) begun.subscription = subscription
        else if (row !== undefined) {
          if (writes.known.changed.has(id)) await abort()
          changed.push(`subscription ${id}`)
          const hasFields = subscription.fields !== undefined || row.fields !== null
          writes.known.changed.set(id, { subscription, hasFields })
        } else if (!located.has(id)) await abort()
        else writes.subscriptions.set(id, { subscription, consents: [] })
      },
      ...erasing.subscriptions,
      expired: abort,
    },
    consents: {
      append: async (id, record) => {
        const begun = writes.subscriptions.get(id)
        if (begun !== undefined) begun.consents.push(record)
        else writes.known.consents.push({ place: await placeToWrite(id), record })
      },
      last: async (id) => {
        if (writes.subscriptions.has(id) || !located.has(id)) return await abort()
        return await (await unit.join()).reads.lastConsents.find(located.get(id)?.seq ?? ABSENT)
      },
      lastOf: abort,
      countRepetition: async (id) => {
        writes.known.repetitions.push(await placeToWrite(id))
      },
      list: abort,
    },
    outbox: {
      ...erasing.outbox,
      find: async (id) => {
        if (unit.lane === 'audited') return await erasing.outbox.find(id)
        const { reads } = await unit.join()
        if (changed.includes(`outbox ${id}`) || writes.mails.some((added) => added.id === id)) return await abort()
        looked.push(`outbox ${id}`)
        const mail = await reads.freeMails.find(id)
        return mail === LOCKED ? await abort() : mail
      },
      findMany: abort,
      list: abort,
      health: abort,
      depth: abort,
      add: async (mail) => {
        if (writes.mails.length > 0) await abort()
        const { reads } = await unit.join()
        const id = await reads.mailIds.find()
        writes.mails.push({ id, mail })
        return id
      },
      claim: abort,
      renew: abort,
      reassign: abort,
      removeMany: abort,
      postponeMany: abort,
      park: abort,
      retry: abort,
      reschedule: abort,
    },
    events: {
      list: abort,
      last: abort,
      hasUnnumbered: abort,
      number: abort,
      append: async (event) => {
        await unit.join()
        writes.events.push(event)
      },
      prune: abort,
    },
    decoys: {
      write: async (content) => {
        const { reads } = await unit.join()
        // As a mail does.
        await reads.mailIds.find()
        writes.decoys.push(content)
      },
    },
    signUpCounts: {
      count: abort,
      add: async (outcome, count = 1) => {
        await unit.join()
        writes.counts.push({ outcome, count })
      },
    },
    spentChallenges: {
      spend: async (id, expiresAt) => {
        const { reads } = await unit.join()
        looked.push(`challenge ${id}`)
        if (writes.challenges.some((spent) => spent.id === id) || (await reads.spent.find(id))) return false
        writes.challenges.push({ id, expiresAt })
        return true
      },
      prune: abort,
    },
    signUpGroups: {
      members: abort,
      membersOf: abort,
      add: async (group, members, expiresAt) => {
        for (const [n, { id, episode }] of members.entries()) {
          if (!writes.subscriptions.has(id) && !writes.known.changed.has(id)) await abort()
          writes.groupMembers.push({ name: group, n, id, episode: episode ?? null, expires_at: expiresAt })
        }
      },
      prune: abort,
    },
    audit,
    consoleSessions: only(consoleSessions),
    deletionRuns: other,
    eventCounts: other,
    deliverability: only(erasing.deliverability),
    feedback: only(erasing.feedback),
    heldUsers: ownUsers ? heldUsers : other,
    keptMails: erasing.keptMails,
    loginLinks: only(loginLinks),
    reminders: other,
    moves: only(erasing.moves),
    mailCaps: {
      slots: async (address) => await (await unit.join()).reads.slots.find(address),
      slotsOf: abort,
      put: abort,
      putMany: abort,
      prune: abort,
    },
    tombstones: ownUsers ? tombstones : other,
    users: ownUsers ? users : other,
    webhooks: other,
    webhookDeliveries: other,
  }
}
