import type {
  AddressHash,
  MoveStore,
  OutboxStore,
  RequestStore,
  Stores,
  SubscriptionId,
  SubscriptionStore,
} from '@rollcall/core'
import type { SubscriptionRow } from '../../tables/subscriptions.ts'
import type { SharedUnit } from './shared-unit.ts'

interface ErasingStores {
  readonly keptMails: Stores['keptMails']
  readonly moves: Pick<MoveStore, 'touches'>
  readonly outbox: Pick<OutboxStore, 'find' | 'remove'>
  readonly requests: Pick<RequestStore, 'removeOf'>
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
  located: ReadonlyMap<SubscriptionId, SubscriptionRow>,
): ErasingStores => {
  const abort = () => unit.abort()
  const { writes, looked, changed } = unit
  const forget = async (address: AddressHash): Promise<void> => {
    await unit.join()
    writes.forgotten.push(address)
  }

  return {
    deliverability: { erase: forget },
    feedback: { removeOf: forget },
    keptMails: {
      add: abort,
      list: async (id) => {
        const { seq } = located.get(id) ?? (await abort())
        return await (await unit.join()).reads.keptMails.find(seq)
      },
    },
    moves: {
      touches: async (id) => {
        if (!located.has(id)) await abort()
        return await (await unit.join()).reads.movedOnes.find(id)
      },
    },
    outbox: {
      find: async (id) => {
        if (located.size === 0 || changed.includes(`outbox ${id}`)) await abort()
        looked.push(`outbox ${id}`)
        return await (await unit.join()).reads.mails.find(id)
      },
      remove: async (id) => {
        if (!looked.includes(`outbox ${id}`) || !unit.change(`outbox ${id}`)) await abort()
        writes.settled.push(id)
      },
    },
    requests: {
      // If there is any, only who has the turn may remove it.
      removeOf: async (address) => {
        const { asked } = (await unit.join()).reads
        return (await asked.find(address)) ? await abort() : 0
      },
    },
    subscriptions: {
      erase: async (id) => {
        if (!located.has(id)) await abort()
        await unit.join()
        if (!unit.change(`subscription ${id}`)) await abort()
        writes.erasedSubscriptions.push(id)
      },
    },
  }
}
