import type { Digests } from '../platform/digests.ts'
import { type AddressHash, addressHash } from '../subscriptions/email-address.ts'
import {
  kindsIn,
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
  /** The same as `address` if the address is the plain one. */
  readonly mailbox: AddressHash
}

export const mailboxHashes = (
  digests: Digests,
  addressKey: string,
  address = addressHash(digests, addressKey),
): MailboxHashes => {
  const mailboxKey = mailboxKeyOf(untaggedKeyOf(addressKey))
  return { address, mailbox: mailboxKey === addressKey ? address : addressHash(digests, mailboxKey) }
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

type Mailbox = Pick<MailboxHashes, 'mailbox'>

export const findSuppression = async (
  suppressions: Pick<SuppressionReader, 'findMany'>,
  { mailbox }: Mailbox,
): Promise<StoredSuppression | undefined> => (await suppressions.findMany([mailbox])).get(mailbox)

/** Lifts one kind of a mailbox, or both kinds; whether it had it. The other kind stays. */
export const allowMailbox = async (
  suppressions: SuppressionStore,
  { mailbox }: Mailbox,
  kind: SuppressionKind | 'both',
): Promise<boolean> => {
  const known = await findSuppression(suppressions, { mailbox })
  if (known === undefined) return false
  const { owner, block } = kindsIn(known)
  if (kind !== 'both' && (kind === 'owner' ? owner : block) === undefined) return false
  await suppressions.remove(mailbox)
  const left = { owner: block, block: owner, both: undefined }[kind]
  if (left) await suppressions.add(mailbox, left)
  return true
}
