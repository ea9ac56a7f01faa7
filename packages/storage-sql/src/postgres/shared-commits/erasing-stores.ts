import type { AddressHash, MoveStore, OutboxStore, Stores, SubscriptionId, SubscriptionStore } from '@rollcall/core'
import type { SubscriptionRow } from '../../tables/subscriptions.ts'
import type { SharedUnit } from './shared-unit.ts'

interface ErasingStores {
  readonly keptMails: Stores['keptMails']
  readonly moves: Pick<MoveStore, 'touches'>
  readonly outbox: Pick<OutboxStore, 'find' | 'remove'>
  readonly subscriptions: Pick<SubscriptionStore, 'erase'>
  readonly ofAddress: Pick<Stores, 'deliverability' | 'feedback'>
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

  const others = <Store extends object>(store: Partial<Store>): Store =>
    new Proxy(store as Store, { get: (known, name) => Reflect.get(known, name) ?? abort })
  const forget = async (address: AddressHash): Promise<void> => {
    await unit.join('audited')
    writes.forgotten.add(address)
  }

  return {
    ofAddress: {
      deliverability: others<Stores['deliverability']>({ erase: forget }),
      feedback: others<Stores['feedback']>({ removeOf: forget }),
    },
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
