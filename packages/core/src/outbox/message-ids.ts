import type { Randomness } from '../platform/randomness.ts'
import { idInBase36, type SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { MailTransport } from './mail-transport.ts'

/** Names new mails. Complete when created: even if settings change between two tries, a retry is the same message. */
export class MessageIds {
  readonly #randomness: Randomness
  readonly #domain: string

  constructor(randomness: Randomness, { domain }: Pick<MailTransport, 'domain'>) {
    this.#randomness = randomness
    this.#domain = domain
  }

  /** The subscription in front lets a store of mail files be swept by it. */
  next(id: SubscriptionId): string {
    return `${idInBase36(id)}.${this.#randomness.hex(12)}@${this.#domain}`
  }
}
