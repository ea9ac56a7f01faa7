import type { Digests } from '../platform/digests.ts'
import { type AddressHash, addressHash } from '../subscriptions/email-address.ts'
import {
  kindsIn,
  mergedSuppressions,
  type StoredSuppression,
  type SuppressionKind,
  type SuppressionReader,
  type SuppressionStore,
} from './suppression-store.ts'

/**
 * What mail caps and suppressions know a recipient by. A mailbox has the hash of its plain address, so what is stored
 * for `ada@example.com` counts for `ada+news@example.com`.
 */
export interface MailboxHashes {
  readonly address: AddressHash
  /** The address without its plus tag: at Gmail an earlier release may have stored it as another than the mailbox. */
  readonly untagged: AddressHash
  /** The same as `address` if the address is the plain one. */
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

/** The address and its plainer forms, each once. */
export const addressForms = (addressKey: string): ReadonlySet<string> => {
  const untagged = untaggedKeyOf(addressKey)
  return new Set([addressKey, untagged, mailboxKeyOf(untagged)])
}

/** All that something may be stored under. */
export const formsOf = ({ address, untagged, mailbox }: MailboxHashes): readonly AddressHash[] => [
  address,
  untagged,
  mailbox,
]

/** What is known of a mailbox, of each kind under the closest hash. */
export const suppressionIn = (
  found: ReadonlyMap<AddressHash, StoredSuppression>,
  { address, untagged, mailbox }: MailboxHashes,
): StoredSuppression | undefined =>
  mergedSuppressions(mergedSuppressions(found.get(address), found.get(mailbox)), found.get(untagged))

export const findSuppression = async (
  suppressions: Pick<SuppressionReader, 'findMany'>,
  hashes: MailboxHashes,
): Promise<StoredSuppression | undefined> => (await findSuppressions(suppressions, [hashes]))(hashes)

/** What is known of many mailboxes, with one question for all of them. */
export const findSuppressions = async (
  suppressions: Pick<SuppressionReader, 'findMany'>,
  mailboxes: readonly MailboxHashes[],
): Promise<(hashes: MailboxHashes) => StoredSuppression | undefined> => {
  const found = await suppressions.findMany([...new Set(mailboxes.flatMap(formsOf))])
  return (hashes) => suppressionIn(found, hashes)
}

/**
 * Lifts one kind of the mailbox, and of what an earlier release stored for the address, or both kinds; gives the hashes
 * that had it. The other kind stays.
 */
export const allowMailbox = async (
  suppressions: SuppressionStore,
  hashes: MailboxHashes,
  kind: SuppressionKind | 'both',
): Promise<AddressHash[]> => {
  const all = new Set([hashes.mailbox, hashes.untagged, hashes.address])
  const found = await suppressions.findMany([...all])
  const lifted: AddressHash[] = []
  for (const hash of all) {
    const known = found.get(hash)
    if (known === undefined) continue
    const { owner, block } = kindsIn(known)
    if (kind !== 'both' && (kind === 'owner' ? owner : block) === undefined) continue
    await suppressions.remove(hash)
    const left = { owner: block, block: owner, both: undefined }[kind]
    if (left) await suppressions.add(hash, left)
    lifted.push(hash)
  }
  return lifted
}
