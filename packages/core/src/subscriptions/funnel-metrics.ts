/** How far sign-ups get. */
export type FunnelStep = 'requested' | 'mailed' | 'confirmed' | 'ended' | 'refused' | 'expired' | 'erased'

/** Which rule turned a form away, or kept it without effect. */
export type TurnedAwayBy =
  | 'honeypot'
  | 'suppressed'
  | 'mail-cap'
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
