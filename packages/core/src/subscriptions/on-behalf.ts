import type { Caller } from '../access/caller.ts'
import type { ConsentSource } from './consent.ts'
import type { Subscription } from './subscription.ts'

/** The result of an action that a caller took for the owner of a subscription. */
export interface OnBehalfResult {
  readonly subscription: Subscription
  /** It was so before; nothing was changed. */
  readonly already: boolean
}

/** The ledger names who did it, so that no id can be taken for a way of the owner's; where that person sat says nothing. */
export const onBehalf = ({ id }: Caller): ConsentSource => ({
  via: `caller:${id}`,
  clientAddress: undefined,
  userAgent: undefined,
})
