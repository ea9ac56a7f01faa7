import type { Clock } from '../platform/clock.ts'
import { liveClaims, livePreferences } from './follow-link.ts'
import type { LinkPurpose, LinkTokens } from './link-token.ts'

/** Recognises links that this service signed and that have not expired. Does not read storage. */
export class SignedLinks {
  readonly #tokens: LinkTokens
  readonly #clock: Clock

  constructor(tokens: LinkTokens, clock: Clock) {
    this.#tokens = tokens
    this.#clock = clock
  }

  /**
   * A link that passes may still have been superseded: the use case that follows it finds out.
   * @throws {LinkNotValid} it was not signed for this purpose, or its time is over
   */
  require(purpose: LinkPurpose | 'preferences', token: string): void {
    if (purpose === 'preferences') livePreferences(this.#tokens, token, this.#clock)
    else liveClaims(this.#tokens, purpose, token, this.#clock)
  }
}
