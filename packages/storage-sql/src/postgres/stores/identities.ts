import { keyOf } from '../lock-keys.ts'
import { statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const LOCK = statement('SELECT FROM identity WHERE id = $1 FOR UPDATE')

/**
 * Locks whose id that is: nothing of the user changes until the end of the unit, nor does the id become a user's, or a
 * deleted one's. The key as well as the row, which may be absent.
 */
export const lockIdentity = (unit: Transaction, id: string): void => {
  if (unit.holds(keyOf.user(id))) return
  unit.lock(keyOf.user(id))
  unit.write(LOCK, id)
}
