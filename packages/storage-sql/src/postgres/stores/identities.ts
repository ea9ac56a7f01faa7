import { keyOf } from '../lock-keys.ts'
import type { Transaction } from '../transaction.ts'

/**
 * Locks whose id that is: nothing of the user changes until the end of the unit, nor does the id become a user's, or a
 * deleted one's. Whatever changes one takes this key first.
 */
export const lockIdentity = (unit: Transaction, id: string): void => unit.lock(keyOf.user(id))
