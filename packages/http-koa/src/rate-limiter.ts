/** What is counted apart from what else the same client does. */
export type LimitedDeed = 'subscribe' | 'preferences' | 'links'

/** How a client stands after it was counted. */
export interface RateLimitState {
  readonly allowed: boolean
  /** How often it may still ask. */
  readonly remaining: number
  /** Milliseconds until it may ask as often as at first. */
  readonly resetIn: number
}

/** Counts how often each client asks. */
export interface RateLimiter {
  /** How often a client may ask within how many milliseconds. */
  readonly quota: number
  readonly window: number
  /** Counts one deed of a client, whose `key` may be anything; never waits for the next window. */
  count(deed: LimitedDeed, key: string): Promise<RateLimitState>
}
