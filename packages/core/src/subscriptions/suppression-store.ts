import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'
import type { AddressHash } from './email-address.ts'

/** Why an address gets no sign-up mail. */
export type SuppressionCause = 'refused' | 'never-again'

export interface Suppression {
  readonly cause: SuppressionCause
  readonly since: Instant
}

export interface SuppressionRecord extends Suppression {
  readonly address: AddressHash
}

export interface SuppressionReader {
  /** That of the address, else that of its mailbox. */
  find(address: AddressHash, mailbox?: AddressHash): Promise<Suppression | undefined>
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
