import type { Stores, SubscriptionId } from '@rollcall/core'
import { type SubscriptionRow, toSubscription } from '../../tables/subscriptions.ts'
import { auditedStores } from './audited-stores.ts'
import { erasingStores } from './erasing-stores.ts'
import type { SharedUnit } from './shared-unit.ts'

/**
 * The stores as far as changes of users need them, and of the subscriptions that a deletion erases: what they find is
 * locked, or changes seldom, or belongs to them alone. Everything else aborts the unit.
 * `ownUsers`: whether users are kept in the tables of this project, and not by a host.
 */
export const sharedStores = (unit: SharedUnit, ownUsers: boolean): Stores => {
  const abort = () => unit.abort()
  const { writes, looked } = unit
  /** The subscriptions that it has found. */
  const located = new Map<SubscriptionId, SubscriptionRow>()
  // Every method but the known ones aborts.
  const handler = { get: (known: object, name: string | symbol) => Reflect.get(known, name) ?? abort }
  const only = (known: object) => new Proxy(known, handler) as never
  const other = only({})
  const { accessTokens, audit, consoleSessions, heldUsers, loginLinks, tombstones, users } = auditedStores(unit)
  const erasing = erasingStores(unit, located)
  const events: Pick<Stores['events'], 'append'> = {
    append: async (event) => {
      await unit.join()
      writes.events.push(event)
    },
  }
  const numbers: Pick<Stores['numbers'], 'add'> = {
    add: async (changes) => {
      await unit.join()
      writes.numbers.push(...changes)
    },
  }
  const subscriptions: Pick<Stores['subscriptions'], 'erase' | 'ofAddress'> = {
    ...erasing.subscriptions,
    ofAddress: async (address) => {
      const { reads } = await unit.join()
      if (writes.erasedSubscriptions.length > 0) return await abort()
      const rows = (await reads.ofAddress.find(address)) ?? (await abort())
      for (const row of rows) {
        looked.push(`subscription ${row.id}`)
        located.set(row.id, row)
      }
      return rows.map(toSubscription)
    },
  }

  return {
    accessTokens: only(accessTokens),
    audit,
    consents: other,
    consoleSessions: only(consoleSessions),
    deletionRuns: other,
    deliverability: only(erasing.deliverability),
    events: only(events),
    feedback: only(erasing.feedback),
    feeds: other,
    heldUsers: ownUsers ? heldUsers : other,
    keptMails: erasing.keptMails,
    loginLinks: only(loginLinks),
    mailCaps: other,
    moves: only(erasing.moves),
    numbers: only(numbers),
    outbox: only(erasing.outbox),
    reminders: other,
    requests: only(erasing.requests),
    signUpGroups: other,
    spentChallenges: other,
    subscriptions: only(subscriptions),
    suppressions: other,
    tombstones: ownUsers ? tombstones : other,
    users: ownUsers ? users : other,
    webhooks: other,
    webhookDeliveries: other,
  }
}
