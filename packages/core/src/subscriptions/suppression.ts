import type { Instant } from '../instant.ts'
import type { AddressHash } from './address-hash.ts'

/** Why an address gets no sign-up mail. */
export type SuppressionCause = 'refused' | 'never-again'

export interface Suppression {
  readonly cause: SuppressionCause
  readonly since: Instant
}

export interface SuppressionRecord extends Suppression {
  readonly address: AddressHash
}
