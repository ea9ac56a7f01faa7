/** How far sign-ups get. */
export type FunnelStep = 'requested' | 'mailed' | 'confirmed' | 'ended' | 'refused' | 'expired' | 'erased'

/** Which rule turned a form away, or kept it without effect. */
export type TurnedAwayBy =
  | 'honeypot'
  | 'suppressed'
  | 'mail-cap'
  | 'feed-gone'
  | 'challenge'
  | 'too-fast'
  | 'rate-limit'
  | 'invalid-input'

/** Counts for the operator, without personal data; updated after the change is on durable storage. */
export interface FunnelMetrics {
  reached(step: FunnelStep, count?: number): void
  turnedAway(rule: TurnedAwayBy): void
}

export const NO_METRICS: FunnelMetrics = { reached: () => undefined, turnedAway: () => undefined }

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
