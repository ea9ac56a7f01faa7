import type { Page, Stretch } from '../page.ts'
import type { AddressHash } from './address-hash.ts'
import type { Suppression, SuppressionRecord } from './suppression.ts'

export interface SuppressionReader {
  find(address: AddressHash): Promise<Suppression | undefined>
  /** In the order in which they were first suppressed. */
  list(stretch: Stretch): Promise<Page<SuppressionRecord>>
}

/** Addresses that get no sign-up mail, known by keyed hash only. */
export interface SuppressionStore extends SuppressionReader {
  /** If the address is suppressed already the first one stays, unless this one is 'never-again' and that one is not. */
  add(address: AddressHash, suppression: Suppression): Promise<void>
  /** Whether it was suppressed. */
  remove(address: AddressHash): Promise<boolean>
}
