import type { AddressHash } from '../subscriptions/email-address.ts'
import { distinctHashes, type MailboxHashes } from '../subscriptions/mailbox-hashes.ts'
import type { MailCapStore, MailSlot } from './mail-cap.ts'

type Slots = readonly MailSlot[]

/** What is stored for the caps of an address and of its mailbox. */
export interface MailboxSlots {
  /** As `slotsOfMailbox` gives them. */
  readonly all: Slots
  /** Stores what becomes of those of the mailbox, and of those of the address. */
  change(changed: (slots: Slots) => Slots): Promise<void>
}

const NONE: Slots = []

const distinct = (slots: Slots): Slots => [
  ...new Map(slots.map((slot) => [`${slot.messageId} ${slot.at}`, slot])).values(),
]

/** Every mail that counts for an address: those to its mailbox, and those of the release before to it alone. */
export const slotsOfMailbox = async (mailCaps: MailCapStore, { address, mailbox }: MailboxHashes): Promise<Slots> => {
  const slots = await mailCaps.slots(mailbox)
  return mailbox === address ? slots : distinct([...slots, ...(await mailCaps.slots(address))])
}

export const mailboxSlots = async (mailCaps: MailCapStore, hashes: MailboxHashes): Promise<MailboxSlots> => {
  const known: { readonly hash: AddressHash; readonly slots: Slots }[] = []
  for (const hash of distinctHashes(hashes)) known.push({ hash, slots: await mailCaps.slots(hash) })
  const [{ slots: first } = { slots: NONE }, other] = known
  return {
    all: other === undefined ? first : distinct([...first, ...other.slots]),
    change: async (changed) => {
      for (const { hash, slots } of known) {
        const after = changed(slots)
        if (slots.length + after.length > 0) await mailCaps.put(hash, after)
      }
    },
  }
}
