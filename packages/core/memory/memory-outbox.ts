import type { Clock, MailSlot, OutboxEntry, PendingMail, Stores } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { isParked, leasedTable, UNTRIED } from './leases.ts'

export const memoryOutbox = (journal: Journal, clock: Clock): Pick<Stores, 'outbox' | 'mailCaps'> => {
  const mails = leasedTable<OutboxEntry>(journal, clock, ({ id }) => id)
  const caps = new Table<string, readonly MailSlot[]>(journal)
  const add = (mail: PendingMail) => mails.add((id) => ({ ...mail, ...UNTRIED, id }))

  return {
    outbox: {
      ...mails.store,
      add: async (mail) => add(mail),
      addMany: async (all) => all.map(add),
      remove: async (...ids) => {
        for (const id of ids) mails.delete(id)
      },
      reassign: async (id, subscriptionId) => {
        mails.change(id, { subscriptionId })
      },
      findMany: async (ids) => [...new Set(ids)].flatMap((id) => mails.find(id) ?? []),
      list: async (stretch) => mails.page(stretch),
      health: async () => ({ parked: mails.entries().some(isParked), dueSince: mails.due()[0]?.notBefore }),
      claim: async (claim) => mails.claim(claim),
      reschedule: async (beyond) => {
        const now = clock.now()
        const late = mails.entries().filter((mail) => !isParked(mail) && mail.notBefore > now + beyond)
        return late.filter(({ id }) => mails.change(id, { notBefore: now })).length
      },
    },
    mailCaps: {
      slotsOf: async (addresses) => caps.pick(addresses),
      put: async (changed) => {
        for (const [address, slots] of changed)
          if (slots.length > 0) caps.set(address, slots)
          else caps.delete(address)
      },
      prune: async (before, limit) => caps.prune((slots) => slots.every(({ at }) => at < before), limit),
    },
  }
}
