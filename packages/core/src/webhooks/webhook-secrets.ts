import { base64Of } from '../bytes.ts'
import { DAY, type Instant } from '../instant.ts'
import type { Digests } from '../platform/digests.ts'
import type { Randomness } from '../platform/randomness.ts'
import type { SecretSeed, Webhook, WebhookName } from './webhook.ts'

/** How long the secret before the last rotation still signs. */
export const SECRET_OVERLAP = 1 * DAY

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

  /** What a message is to be signed with at this time: the secret; and during a rotation the one before, too. */
  signing({ name, secret, previousSecret }: Webhook, now: Instant): readonly string[] {
    const previous = previousSecret && previousSecret.until > now ? [previousSecret.seed] : []
    return [secret, ...previous].map((seed) => this.reveal(name, seed))
  }
}

/** Of bytes that are given in hexadecimal. */
const base64 = (hex: string): string =>
  base64Of(Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)))
