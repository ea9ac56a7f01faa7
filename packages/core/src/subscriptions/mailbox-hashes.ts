import type { Digests } from '../platform/digests.ts'
import { type AddressHash, addressHash } from './email-address.ts'
import type { Suppression, SuppressionReader, SuppressionStore } from './suppression-store.ts'

/**
 * What mail caps and suppressions know a recipient by. A mailbox has the hash of its plain address, so what is stored
 * for `ada@example.com` counts for `ada+news@example.com`.
 */
export interface MailboxHashes {
  readonly address: AddressHash
  /** The same as `address` where the address is the plain one. */
  readonly mailbox: AddressHash
}

export const mailboxHashes = (
  digests: Digests,
  addressKey: string,
  address = addressHash(digests, addressKey),
): MailboxHashes => {
  const mailboxKey = mailboxKeyOf(addressKey)
  return { address, mailbox: mailboxKey === addressKey ? address : addressHash(digests, mailboxKey) }
}

const GMAIL: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/** The key of the plain address of a mailbox: no plus tag, and at Gmail no dots and one domain. */
export const mailboxKeyOf = (addressKey: string): string => {
  const at = addressKey.lastIndexOf('@')
  const plus = addressKey.indexOf('+', 1)
  const local = addressKey.slice(0, plus > 0 && plus < at ? plus : at)
  const domain = addressKey.slice(at + 1)
  if (!GMAIL.has(domain)) return `${local}@${domain}`
  return `${local.replaceAll('.', '') || local}@gmail.com`
}

/** Each of them once; the mailbox comes first, so that units lock in this order. */
export const distinctHashes = ({ address, mailbox }: MailboxHashes): readonly AddressHash[] =>
  mailbox === address ? [address] : [mailbox, address]

export const findSuppression = (
  suppressions: Pick<SuppressionReader, 'find'>,
  { address, mailbox }: MailboxHashes,
): Promise<Suppression | undefined> => suppressions.find(address, mailbox)

export const suppressMailbox = (
  suppressions: SuppressionStore,
  { mailbox }: MailboxHashes,
  suppression: Suppression,
): Promise<void> => suppressions.add(mailbox, suppression)

/** Lifts that of the mailbox, and an older one of the address alone; gives those that there were. */
export const allowMailbox = async (suppressions: SuppressionStore, hashes: MailboxHashes): Promise<AddressHash[]> => {
  const removed: AddressHash[] = []
  for (const hash of distinctHashes(hashes)) if (await suppressions.remove(hash)) removed.push(hash)
  return removed
}
