/** The actions that are counted separately. */
export type LimitedAction = 'subscribe' | 'preferences' | 'links'

/** The state of a client after it was counted. */
export interface RateLimitState {
  readonly allowed: boolean
  /** How many requests it has left. */
  readonly remaining: number
  /** Milliseconds until its quota is full again. */
  readonly resetIn: number
}

/** Counts the requests of each client. */
export interface RateLimiter {
  /** How many requests a client may make within `window` milliseconds. */
  readonly quota: number
  readonly window: number
  /** Counts one action of a client, whose `key` may be any string; never waits for the next window. */
  count(action: LimitedAction, key: string): Promise<RateLimitState>
}
