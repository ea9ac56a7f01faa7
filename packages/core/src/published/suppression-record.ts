import type { SuppressionRecord } from '../subscriptions/suppression-store.ts'
import { timestamp } from './timestamp.ts'

/** A suppression in its public form: it does not reveal the address. */
export const suppressionRecord = ({ address, cause, since }: SuppressionRecord) => ({
  address,
  cause,
  since: timestamp(since),
})
