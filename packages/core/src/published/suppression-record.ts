import type { SuppressionRecord } from '../subscriptions/suppression.ts'
import { timestamp } from './timestamp.ts'

/** A suppression as everybody outside sees it: whose address it is cannot be told. */
export const suppressionRecord = ({ address, cause, since }: SuppressionRecord) => ({
  address,
  cause,
  since: timestamp(since),
})
