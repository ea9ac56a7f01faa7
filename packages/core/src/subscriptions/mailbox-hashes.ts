import type { Digests } from '../platform/digests.ts'
import { type AddressHash, addressHash } from './email-address.ts'
import type { Suppression, SuppressionReader, SuppressionStore } from './suppression-store.ts'

/**
 * What mail caps and suppressions know a recipient by. A mailbox has the hash of its plain address, so what is stored
 * for `ada@example.com` counts for `ada+news@example.com`.
 */
export interface MailboxHashes {
  readonly address: AddressHash
  /** The address without its plus tag: at Gmail an earlier release may have stored it as another than the mailbox. */
  readonly untagged: AddressHash
  /** The same as `address` where the address is the plain one. */
  readonly mailbox: AddressHash
}

export const mailboxHashes = (
  digests: Digests,
  addressKey: string,
  address = addressHash(digests, addressKey),
): MailboxHashes => {
  const untaggedKey = untaggedKeyOf(addressKey)
  const mailboxKey = mailboxKeyOf(untaggedKey)
  const untagged = untaggedKey === addressKey ? address : addressHash(digests, untaggedKey)
  return { address, untagged, mailbox: mailboxKey === untaggedKey ? untagged : addressHash(digests, mailboxKey) }
}

const untaggedKeyOf = (addressKey: string): string => {
  const at = addressKey.lastIndexOf('@')
  const plus = addressKey.indexOf('+', 1)
  return plus > 0 && plus < at ? `${addressKey.slice(0, plus)}${addressKey.slice(at)}` : addressKey
}

const GMAIL: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/** At Gmail dots do not count, and both domains are one. */
const mailboxKeyOf = (untaggedKey: string): string => {
  const at = untaggedKey.lastIndexOf('@')
  if (!GMAIL.has(untaggedKey.slice(at + 1))) return untaggedKey
  const local = untaggedKey.slice(0, at)
  return `${local.replaceAll('.', '') || local}@gmail.com`
}

/** Each of them once; the mailbox comes first, so that units lock in this order. */
export const distinctHashes = ({ address, mailbox }: MailboxHashes): readonly AddressHash[] =>
  mailbox === address ? [address] : [mailbox, address]

export const findSuppression = async (
  suppressions: Pick<SuppressionReader, 'find'>,
  { address, untagged, mailbox }: MailboxHashes,
): Promise<Suppression | undefined> => {
  const found = await suppressions.find(address, mailbox)
  // Asked for certain forms of addresses only, and for them whatever is known: the time it takes reveals nothing.
  const older = untagged === address || untagged === mailbox ? undefined : await suppressions.find(untagged)
  return found ?? older
}

export const suppressMailbox = (
  suppressions: SuppressionStore,
  { mailbox }: MailboxHashes,
  suppression: Suppression,
): Promise<void> => suppressions.add(mailbox, suppression)

/** Lifts that of the mailbox, and those that an earlier release stored for the address; gives those that there were. */
export const allowMailbox = async (suppressions: SuppressionStore, hashes: MailboxHashes): Promise<AddressHash[]> => {
  const removed: AddressHash[] = []
  for (const hash of new Set([hashes.mailbox, hashes.untagged, hashes.address]))
    if (await suppressions.remove(hash)) removed.push(hash)
  return removed
}
