import type { AddressHash } from '../subscriptions/email-address.ts'
import { distinctHashes, type MailboxHashes } from '../subscriptions/mailbox-hashes.ts'
import type { MailCapStore, MailSlot } from './mail-cap.ts'

type Slots = readonly MailSlot[]

export interface MailboxSlots {
  /** Every mail that counts: those to the mailbox, and those of the release before to the address alone. */
  readonly all: Slots
  /** Stores what becomes of those of the mailbox, and of those of the address. */
  change(changed: (slots: Slots) => Slots): Promise<void>
}

/** What is stored for the caps of an address and of its mailbox. */
export const mailboxSlots = async (mailCaps: MailCapStore, hashes: MailboxHashes): Promise<MailboxSlots> => {
  const known = new Map<AddressHash, Slots>()
  for (const hash of distinctHashes(hashes)) known.set(hash, await mailCaps.slots(hash))
  return {
    all: [...new Map([...known.values()].flat().map((slot) => [slot.messageId, slot])).values()],
    change: async (changed) => {
      for (const [hash, slots] of known) {
        const after = changed(slots)
        if (slots.length + after.length > 0) await mailCaps.put(hash, after)
      }
    },
  }
}
