import type { AddressHash, Stores, SubscriptionId } from '@rollcall/core'
import type { SharingUnit } from './sharing-unit.ts'

type Partly<Port> = { readonly [Name in keyof Port]?: Port[Name] }

/**
 * The stores as far as new sign-ups need them, and mails that were sent: what they find is absent, or changes seldom, or
 * is theirs alone; what they write nobody has written before. Whatever else is called, the unit leaves the transaction
 * that it shares.
 */
export const sharedStores = (unit: SharingUnit): Stores => {
  const leave = () => unit.leave()
  const partly = <Port extends object>(port: Partly<Port>): Port =>
    new Proxy(port, { get: (known, name) => Reflect.get(known, name) ?? leave }) as Port
  const { writes, looked } = unit
  const free = new Set<SubscriptionId>()
  const asked = new Set<AddressHash>()
  const nothing = new Proxy({}, { get: () => leave }) as never

  return {
    audit: nothing,
    heldUsers: nothing,
    keptMails: nothing,
    mailCaps: nothing,
    tombstones: nothing,
    users: nothing,
    webhookDeliveries: nothing,
    webhooks: nothing,
    feeds: partly<Stores['feeds']>({
      find: async (name) => await (await unit.batch()).reads.feeds.find(name),
    }),
    suppressions: partly<Stores['suppressions']>({
      find: async (address) => {
        // Who asks for a second one takes in a file, and will write more than one sign-up does.
        if (asked.size > 0 && !asked.has(address)) return await unit.leave()
        asked.add(address)
        return await (await unit.batch()).reads.suppressions.find(address)
      },
    }),
    subscriptions: partly<Stores['subscriptions']>({
      locate: async (identity) => {
        const id = identity.candidate(0)
        const { reads } = await unit.batch()
        looked.add(`subscription ${id}`)
        if (!(await reads.free.find({ id, fingerprint: identity.fingerprint }))) return await unit.leave()
        if (writes.subscriptions.has(id)) return await unit.leave()
        free.add(id)
        return { id, subscription: undefined }
      },
      put: async (subscription) => {
        const { id } = subscription
        const begun = writes.subscriptions.get(id)
        if (begun !== undefined) begun.subscription = subscription
        else if (!free.has(id) || writes.subscriptions.size > 0) await unit.leave()
        else writes.subscriptions.set(id, { subscription, consents: [] })
      },
    }),
    consents: partly<Stores['consents']>({
      append: async (id, record) => {
        const begun = writes.subscriptions.get(id)
        if (begun === undefined) await unit.leave()
        begun?.consents.push(record)
      },
    }),
    outbox: partly<Stores['outbox']>({
      add: async (mail) => {
        if (writes.mails.length > 0) await unit.leave()
        const { reads } = await unit.batch()
        const id = await reads.mailIds.find()
        writes.mails.push({ id, mail })
        return id
      },
      settle: async (id, owner) => {
        const { reads } = await unit.batch()
        looked.add(`outbox ${id}`)
        if (!(await reads.held.find({ id, owner }))) return await unit.leave()
        writes.settled.push(id)
        return true
      },
    }),
    events: partly<Stores['events']>({
      append: async (event) => {
        await unit.batch()
        writes.events.push(event)
      },
    }),
    signUpCounts: partly<Stores['signUpCounts']>({
      add: async (outcome, count = 1) => {
        await unit.batch()
        writes.counts.push({ outcome, count })
      },
    }),
    spentChallenges: partly<Stores['spentChallenges']>({
      spend: async (id, expiresAt) => {
        const { reads } = await unit.batch()
        looked.add(`challenge ${id}`)
        if (writes.challenges.some((spent) => spent.id === id) || (await reads.spent.find(id))) return false
        writes.challenges.push({ id, expiresAt })
        return true
      },
    }),
  }
}
