import type { Digests } from '../platform/digests.ts'
import type { Readers } from '../readers.ts'
import { type MailboxHashes, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import { HashFilter } from './hash-filter.ts'

export type UnmailableBecause = 'blocked' | 'undeliverable'

type Known = Pick<Readers, 'suppressions' | 'deliverability'>

/** What stands in the way of mails to an address, by its key. */
type Judge = (addressKey: string) => UnmailableBecause | undefined

const NOTHING: Judge = () => undefined

/** Looks up what stands in the way of mails to these addresses, with few questions for all of them. */
export type LookUp = (addressKeys: readonly string[]) => Promise<Judge>

/**
 * For more addresses than there may be blocked or undeliverable ones: of most it is known from a filter that nothing stands
 * in the way. The filter is made once: what comes about after it is in the events.
 */
export const filteredLookUp = async (known: Known, digests: Digests): Promise<LookUp> => {
  const filter = new HashFilter()
  await filter.add('', (after) => known.suppressions.blockedPrefixes(after))
  await filter.add(0, (after) => known.deliverability.undeliverablePrefixes(after))
  if (filter.isEmpty) return async () => NOTHING
  return async (addressKeys) => {
    const suspected = new Map<string, MailboxHashes>()
    for (const key of addressKeys) {
      const hashes = mailboxHashes(digests, key)
      if (filter.mayHave(hashes.mailbox) || filter.mayHave(hashes.address)) suspected.set(key, hashes)
    }
    return suspected.size === 0 ? NOTHING : await lookUp(known, suspected)
  }
}

/** The same for these addresses alone. */
export const unmailable = (known: Known, digests: Digests, addressKeys: readonly string[]): Promise<Judge> =>
  lookUp(known, new Map(addressKeys.map((key) => [key, mailboxHashes(digests, key)])))

const lookUp = async (
  { suppressions, deliverability }: Known,
  asked: ReadonlyMap<string, MailboxHashes>,
): Promise<Judge> => {
  const addresses = new Set([...asked.values()].map(({ address }) => address))
  const mailboxes = new Set([...asked.values()].map(({ mailbox }) => mailbox))
  const [suppressed, known] = await Promise.all([
    suppressions.findMany([...mailboxes]),
    deliverability.findMany([...addresses]),
  ])
  return (key) => {
    const hashes = asked.get(key)
    if (hashes === undefined) return undefined
    if (suppressed.get(hashes.mailbox)?.block !== undefined) return 'blocked'
    return known.get(hashes.address)?.state === 'undeliverable' ? 'undeliverable' : undefined
  }
}
