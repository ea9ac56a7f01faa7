import { MOST_ADDRESSES } from '../feedback/deliverability-store.ts'
import type { Digests } from '../platform/digests.ts'
import type { Readers } from '../readers.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import { mailboxHashes } from '../subscriptions/mailbox-hashes.ts'

export type UnmailableBecause = 'blocked' | 'undeliverable'

type Known = Pick<Readers, 'suppressions' | 'deliverability'>

/** What stands in the way of mails to an address, by its key. */
type Judge = (addressKey: string) => UnmailableBecause | undefined

const NOTHING: Judge = () => undefined

/** Looks up what stands in the way of mails to these addresses, with few questions for all of them. */
export type LookUp = (addressKeys: readonly string[]) => Promise<Judge>

/**
 * As long as no address at all is blocked or undeliverable, nothing is looked up and none is hashed. That is asked once: what
 * comes about after it is in the events.
 */
export const unmailableLookUp = async ({ suppressions, deliverability }: Known, digests: Digests): Promise<LookUp> => {
  const [anyBlocked, anyUndeliverable] = await Promise.all([
    suppressions.anyBlocked(),
    deliverability.anyUndeliverable(),
  ])
  if (!anyBlocked && !anyUndeliverable) return async () => NOTHING
  return async (addressKeys) => {
    const hashes = new Map(addressKeys.map((key) => [key, mailboxHashes(digests, key)]))
    const asked = new Set<AddressHash>()
    const plain = new Set<AddressHash>()
    for (const { address, untagged, mailbox } of hashes.values()) {
      plain.add(address)
      for (const hash of [address, untagged, mailbox]) asked.add(hash)
    }
    const [blocked, undeliverable] = await Promise.all([
      anyBlocked ? suppressions.blocked([...asked]) : NONE,
      anyUndeliverable ? undeliverableOf(deliverability, [...plain]) : NONE,
    ])
    return (key) => {
      const { address, untagged, mailbox } = hashes.get(key) ?? mailboxHashes(digests, key)
      if (blocked.has(address) || blocked.has(mailbox) || blocked.has(untagged)) return 'blocked'
      return undeliverable.has(address) ? 'undeliverable' : undefined
    }
  }
}

/** The same for these addresses alone. */
export const unmailable = async (known: Known, digests: Digests, addressKeys: readonly string[]): Promise<Judge> =>
  await (await unmailableLookUp(known, digests))(addressKeys)

const NONE: ReadonlySet<AddressHash> = new Set()

const undeliverableOf = async (
  deliverability: Known['deliverability'],
  addresses: readonly AddressHash[],
): Promise<ReadonlySet<AddressHash>> => {
  if (addresses.length <= MOST_ADDRESSES) return await deliverability.undeliverable(addresses)
  const all = new Set<AddressHash>()
  for (let from = 0; from < addresses.length; from += MOST_ADDRESSES)
    for (const one of await deliverability.undeliverable(addresses.slice(from, from + MOST_ADDRESSES))) all.add(one)
  return all
}
