import { base64Of } from '../bytes.ts'
import { DAY, type Instant } from '../instant.ts'
import type { Digests } from '../platform/digests.ts'
import type { Randomness } from '../platform/randomness.ts'
import type { SecretSeed, Webhook, WebhookName } from './webhook.ts'

/** How long a secret still signs after the rotation that took its place. */
export const SECRET_OVERLAP = 1 * DAY
/** So many of those before still sign, whatever else: each makes the header longer. */
export const MOST_PREVIOUS = 9

/**
 * Secrets as Standard Webhooks has them. None is stored anywhere: each is made of the instance's secret and a seed, so
 * that neither a stolen database nor a backup signs anything.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#symmetric
 */
export class WebhookSecrets {
  readonly #digests: Digests
  readonly #randomness: Randomness

  constructor(ports: { digests: Digests; randomness: Randomness }) {
    this.#digests = ports.digests
    this.#randomness = ports.randomness
  }

  /** What a new secret will be made of. */
  seed(): SecretSeed {
    return this.#randomness.hex(16) as SecretSeed
  }

  /** 256 bits, as `whsec_` and base64. */
  reveal(name: WebhookName, seed: SecretSeed): string {
    return `whsec_${base64(this.#digests.hmac('webhook-secret', `${name} ${seed}`))}`
  }

  /** What a message is to be signed with at this time: the secret; and during a rotation those before, too. */
  signing({ name, secret, previousSecrets }: Webhook, now: Instant): readonly string[] {
    const previous = previousSecrets.filter(({ until }) => until > now).map(({ seed }) => seed)
    return [secret, ...previous].map((seed) => this.reveal(name, seed))
  }
}

/** Of bytes that are given in hexadecimal. */
const base64 = (hex: string): string =>
  base64Of(Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)))
