import type { AddressHash } from '../subscriptions/address-hash.ts'
import type { Suppression } from '../subscriptions/suppression.ts'

/** Addresses that get no sign-up mail, known by keyed hash only. */
export interface SuppressionStore {
  find(address: AddressHash): Promise<Suppression | undefined>
  /** Keeps the first one if the address is suppressed already. */
  add(address: AddressHash, suppression: Suppression): Promise<void>
}
