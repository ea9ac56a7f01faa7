import type { MailTransport } from '../outbox/mail-transport.ts'
import type { Clock } from '../platform/clock.ts'
import type { Digests } from '../platform/digests.ts'
import type { Randomness } from '../platform/randomness.ts'

/** What carrying out a request takes beside the stores. */
export interface Means {
  readonly clock: Clock
  readonly digests: Digests
  readonly randomness: Randomness
  readonly transport: Pick<MailTransport, 'domain'>
  /** Milliseconds. */
  readonly linkLife: number
}
