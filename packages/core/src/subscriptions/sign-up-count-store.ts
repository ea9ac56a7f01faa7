/**
 * The outcome of a form, or of the sign-up that it began. `unknown-address` and `held-back` are outcomes of preferences requests:
 * nothing is known of the address, or no mail may go to it now.
 */
export type SignUpOutcome = 'honeypot' | 'suppressed' | 'expired' | 'unknown-address' | 'held-back'

export interface SignUpCountReader {
  /** Zero if nothing was counted. */
  count(outcome: SignUpOutcome): Promise<number>
}

/** Counts without a person in them. */
export interface SignUpCountStore extends SignUpCountReader {
  /** Adds `count`, by default one. */
  add(outcome: SignUpOutcome, count?: number): Promise<void>
}
