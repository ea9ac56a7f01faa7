import type { AddressHash, MoveStore, OutboxStore, Stores, SubscriptionId, SubscriptionStore } from '@rollcall/core'
import type { SubscriptionRow } from '../../tables/subscriptions.ts'
import type { SharedUnit } from './shared-unit.ts'

interface ErasingStores {
  readonly keptMails: Stores['keptMails']
  readonly moves: Pick<MoveStore, 'touches'>
  readonly outbox: Pick<OutboxStore, 'find' | 'remove'>
  readonly subscriptions: Pick<SubscriptionStore, 'erase'>
  readonly deliverability: Pick<Stores['deliverability'], 'erase'>
  readonly feedback: Pick<Stores['feedback'], 'removeOf'>
}

/**
 * The stores as far as a deletion needs them that erases the subscriptions of an address with their mails. `located`: the
 * subscriptions that the unit has found; it may erase no other.
 */
export const erasingStores = (
  unit: SharedUnit,
  located: ReadonlyMap<SubscriptionId, SubscriptionRow | undefined>,
): ErasingStores => {
  const abort = () => unit.abort()
  const { writes, looked, changed } = unit
  const forget = async (address: AddressHash): Promise<void> => {
    await unit.join('audited')
    writes.forgotten.push(address)
  }

  return {
    deliverability: { erase: forget },
    feedback: { removeOf: forget },
    keptMails: {
      add: abort,
      list: async (id) => {
        const { seq } = located.get(id) ?? (await abort())
        return await (await unit.join('audited')).reads.keptMails.find(seq)
      },
    },
    moves: {
      touches: async (id) => {
        if (located.get(id) === undefined) await abort()
        return await (await unit.join('audited')).reads.movedOnes.find(id)
      },
    },
    outbox: {
      find: async (id) => {
        const hasFound = [...located.values()].some((row) => row !== undefined)
        if (!hasFound || changed.includes(`outbox ${id}`)) await abort()
        looked.push(`outbox ${id}`)
        return await (await unit.join('audited')).reads.mails.find(id)
      },
      remove: async (id) => {
        if (!looked.includes(`outbox ${id}`) || !unit.change(`outbox ${id}`)) await abort()
        writes.settled.push(id)
      },
    },
    subscriptions: {
      erase: async (id) => {
        if (located.get(id) === undefined) await abort()
        await unit.join('audited')
        if (!unit.change(`subscription ${id}`)) await abort()
        writes.erasedSubscriptions.push(id)
      },
    },
  }
}
