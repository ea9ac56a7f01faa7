import { type Instant, MINUTE } from '../instant.ts'

export type ConsentDeed = 'requested' | 'confirmed' | 'refused' | 'ended'

/** Where a deed came from, as evidence. */
export interface ConsentSource {
  /** `form`, `json`, `page`, `link`, `one-click`, or a caller's id. */
  readonly via: string
  /** Cut to /24 or /48 by whoever received it. */
  readonly clientAddress: string | undefined
  readonly userAgent: string | undefined
}

/** One entry of the consent ledger. */
export interface ConsentRecord extends ConsentSource {
  readonly at: Instant
  readonly deed: ConsentDeed
  /** Which wording the person was shown. */
  readonly wording: string
  readonly language: string | undefined
  /** How many times within ten minutes. */
  readonly count: number
}

/** Raised with every change of what people are shown when they are asked for consent. */
export const WORDING = 'double-opt-in/1'

const LONGEST_AGENT = 256

export const consentRecord = (
  deed: ConsentDeed,
  at: Instant,
  source: ConsentSource,
  language: string | undefined,
): ConsentRecord => ({
  at,
  deed,
  via: source.via,
  clientAddress: source.clientAddress,
  userAgent: source.userAgent?.slice(0, LONGEST_AGENT).toWellFormed(),
  wording: WORDING,
  language,
  count: 1,
})

/** Whether a deed only repeats the last one: it is counted there, not recorded anew. */
export const repeats = (last: ConsentRecord | undefined, deed: ConsentDeed, now: Instant): boolean =>
  last !== undefined && last.deed === deed && now - last.at < 10 * MINUTE
