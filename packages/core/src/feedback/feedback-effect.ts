import { type Caller, mayKnowOfFeed } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { counted } from '../numbers/counted.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import { endAndRecord } from '../subscriptions/subscription-transitions.ts'
import { blockMailbox } from '../suppressions/block.ts'
import type { Stores } from '../unit-of-work.ts'
import {
  afterBounce,
  type Bounce,
  confirmedSince,
  endsFailing,
  putDeliverability,
  type ReportedAddress,
} from './deliverability.ts'
import type { ReportKind } from './feedback-item.ts'

/** Who reports, and the only feeds that exist for it. */
export type Reporter = Pick<Caller, 'feeds' | 'id'>

/** The address that feedback is about. */
export interface FeedbackSubject extends ReportedAddress {
  /** Undefined if nothing but the hash is known. */
  readonly addressKey: string | undefined
  readonly mailbox: AddressHash
}

export interface FeedbackEffect {
  /** Whether somebody gets no more mail by it. */
  readonly weighs: boolean
  carryOut(): Promise<void>
}

type Kit = Pick<Dependencies, 'clock' | 'digests' | 'randomness'>

/** What feedback changes; undefined if that is nothing. */
export const effectOf = async (
  stores: Stores,
  kit: Kit,
  reporter: Reporter,
  subject: FeedbackSubject,
  feedback: Bounce & { readonly kind: ReportKind },
): Promise<FeedbackEffect | undefined> => {
  switch (feedback.kind) {
    case 'bounce':
      return await effectOfBounce(stores, kit, subject, feedback)
    case 'complaint':
      return await effectOfComplaint(stores, kit, reporter, subject, feedback)
    case 'delivery':
      return await effectOfDelivery(stores, subject, feedback)
  }
}

const effectOfDelivery = async (
  { deliverability }: Pick<Stores, 'deliverability'>,
  { address }: FeedbackSubject,
  { at }: Bounce,
): Promise<FeedbackEffect | undefined> =>
  endsFailing(await deliverability.find(address), at)
    ? { weighs: false, carryOut: () => deliverability.erase(address) }
    : undefined

const effectOfBounce = async (
  stores: Stores,
  kit: Kit,
  subject: FeedbackSubject,
  bounce: Bounce,
): Promise<FeedbackEffect | undefined> => {
  const now = kit.clock.now()
  const after = afterBounce(await stores.deliverability.find(subject.address), bounce, now)
  if (after === undefined || (await confirmedSince(stores, subject.address, bounce.at)).size > 0) return undefined
  return {
    weighs: after.state === 'undeliverable',
    carryOut: () => putDeliverability(stores, subject, after, now),
  }
}

/**
 * It ends what the reporter sends; of one that sends for every feed, it stops every mail to the address. What the reader
 * has confirmed since goes on.
 */
const effectOfComplaint = async (
  stores: Stores,
  kit: Kit,
  reporter: Reporter,
  { address, addressKey, mailbox, subscription }: FeedbackSubject,
  { at }: Bounce,
): Promise<FeedbackEffect | undefined> => {
  const found = await stores.subscriptions.ofAddress(address)
  const newer = await confirmedSince(stores, address, at)
  const open = found.filter(
    ({ id, status, feed }) => status !== 'ended' && !newer.has(id) && mayKnowOfFeed(reporter, feed),
  )
  const suppresses =
    reporter.feeds === undefined &&
    newer.size === 0 &&
    (await stores.suppressions.findMany([mailbox])).get(mailbox)?.block?.cause !== 'complaint'
  if (open.length === 0 && !suppresses) return undefined
  return {
    weighs: true,
    carryOut: async () => {
      for (const one of open) await endAndRecord(stores, one, 'ended', complaintOf(reporter), kit)
      await stores.numbers.add([counted('complained', (subscription ?? open[0])?.feed, kit.clock.now())])
      const block = { cause: 'complaint', since: kit.clock.now() } as const
      if (!suppresses) return
      if (addressKey === undefined) await stores.suppressions.add(mailbox, block)
      else await blockMailbox(stores, kit, addressKey, block)
    },
  }
}

/** The ledger says that it was a complaint, and who passed it on. */
export const complaintOf = ({ id }: Reporter) => ({
  via: `complaint:${id}`,
  clientAddress: undefined,
  userAgent: undefined,
})
