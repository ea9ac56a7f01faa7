/** What became of a form, or of what it began. */
export type SignUpOutcome = 'honeypot' | 'suppressed' | 'expired' | 'unknown-address'

export interface SignUpCountReader {
  /** Zero where nothing was counted. */
  count(outcome: SignUpOutcome): Promise<number>
}

/** Counts without a person in them. */
export interface SignUpCountStore extends SignUpCountReader {
  /** Adds so many, one unless told otherwise. */
  add(outcome: SignUpOutcome, count?: number): Promise<void>
}
