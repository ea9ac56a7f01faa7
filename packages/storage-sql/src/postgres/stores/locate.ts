import type { SubscriptionIdentity } from '@rollcall/core'
import { type Claimed, isTaken, type SubscriptionRow } from '../../tables/subscriptions.ts'

interface Found {
  readonly id: number
  readonly row: SubscriptionRow | undefined
  /** Set if another identity holds the id that it would have had. */
  readonly displaced?: string
}

/** Where a subscription is, or would be; `claimed` are the ids of others that are about to be stored. */
export const locate = async (
  identity: SubscriptionIdentity,
  byId: (id: number) => Promise<SubscriptionRow | undefined>,
  settledId: (fingerprint: string) => Promise<number | undefined>,
  claimed: Claimed = new Map(),
): Promise<Found> => {
  const id = identity.candidate(0)
  const row = await byId(id)
  const isFree = !isTaken(id, row, identity, claimed)
  if (row !== undefined && isFree) return { id, row }
  const settled = await settledId(identity.fingerprint)
  if (settled !== undefined) return { id: settled, row: await byId(settled) }
  if (isFree) return { id, row }
  for (let counter = 1; ; counter++) {
    const next = identity.candidate(counter)
    const there = await byId(next)
    if (!isTaken(next, there, identity, claimed)) return { id: next, row: there, displaced: identity.fingerprint }
  }
}
