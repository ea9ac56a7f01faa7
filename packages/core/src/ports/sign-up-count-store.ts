/** What became of a form. */
export type SignUpOutcome = 'honeypot' | 'suppressed'

/** Counts without a person in them. */
export interface SignUpCountStore {
  add(outcome: SignUpOutcome): Promise<void>
}
