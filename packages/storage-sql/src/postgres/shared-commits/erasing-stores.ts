import type { MoveStore, OutboxStore, Stores, SubscriptionId, SubscriptionStore } from '@rollcall/core'
import type { SubscriptionRow } from '../../tables/subscriptions.ts'
import type { SharedUnit } from './shared-unit.ts'

interface ErasingStores {
  readonly keptMails: Stores['keptMails']
  readonly moves: Pick<MoveStore, 'touches'>
  readonly outbox: Pick<OutboxStore, 'find' | 'remove'>
  readonly subscriptions: Pick<SubscriptionStore, 'erase'>
}

/**
 * The stores as far as a deletion needs them that erases the subscriptions of an address with their mails. `located`: the
 * subscriptions that the unit has found; it may erase no other.
 */
export const erasingStores = (
  unit: SharedUnit,
  located: ReadonlyMap<SubscriptionId, SubscriptionRow>,
): ErasingStores => {
  const abort = () => unit.abort()
  const { writes, looked, changed } = unit
  const change = async (key: string): Promise<void> => {
    if (changed.has(key)) await abort()
    changed.add(key)
  }

  return {
    keptMails: {
      add: abort,
      list: async (id) => {
        const { seq } = located.get(id) ?? (await abort())
        return await (await unit.join('audited')).reads.keptMails.find(seq)
      },
    },
    moves: {
      touches: async (id) => {
        if (!located.has(id)) await abort()
        return await (await unit.join('audited')).reads.movedOnes.find(id)
      },
    },
    outbox: {
      find: async (id) => {
        if (located.size === 0 || changed.has(`outbox ${id}`)) await abort()
        looked.add(`outbox ${id}`)
        return await (await unit.join('audited')).reads.mails.find(id)
      },
      remove: async (id) => {
        if (!looked.has(`outbox ${id}`)) await abort()
        await change(`outbox ${id}`)
        writes.settled.push(id)
      },
    },
    subscriptions: {
      erase: async (id) => {
        if (!located.has(id)) await abort()
        await unit.join('audited')
        await change(`subscription ${id}`)
        writes.erasedSubscriptions.push(id)
      },
    },
  }
}
