import type { Credentials } from './credentials.ts'

/** What the generators may use of the service that they write for. */
export interface Surroundings {
  readonly credentials: Credentials
  /** Tokens of links that were mailed: `<purpose>/<token>`. */
  readonly links: readonly string[]
  readonly subscriptionIds: readonly string[]
  /** Texts to put wherever a text goes. */
  readonly texts: readonly string[]
  /** Whole requests or streams to change a little. */
  readonly streams: readonly Buffer[]
}
