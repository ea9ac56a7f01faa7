import { DAY, type Instant } from '../instant.ts'
import { type LinkSigning, signerOf, withSignature } from '../links/link-keys.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'

/** How many days an address is good after that of the mail. */
const GOOD = 14
const DIGITS = 20
/** Of one message: each may cost a look-up. */
const MOST_NAMED = 10
const MARK = /^(?<id>[1-9a-z][0-9a-z]{0,10})\.(?<day>[1-9]\d{0,6})\.(?<key>[1-9a-z][0-9a-z]{0,3})(?<mac>[0-9a-f]{20})$/

/**
 * Addresses that our own mails come back to. Each names its subscription and day, and is signed: anybody can mail a
 * report, but only a server that got our mail knows where to. Signed as links are: who has the secret must not be able to make
 * the addresses of others undeliverable.
 */
export class BounceAddresses {
  readonly #signing: LinkSigning
  readonly #local: string
  readonly #domain: string

  /** @param base such as `bounces@news.example.com`, in lower case */
  constructor(signing: LinkSigning, base: string) {
    this.#signing = signing
    const at = base.lastIndexOf('@')
    this.#local = base.slice(0, at)
    this.#domain = base.slice(at + 1)
  }

  of(subscription: SubscriptionId, now: Instant): string {
    const claims = `${subscription.toString(36)}.${Math.floor(now / DAY)}`
    return `${this.#local}+${withSignature(this.#signing, 'bounce-address', claims, DIGITS)}@${this.#domain}`
  }

  /** Those that a text names, each once: first what we may have made, then the address itself. */
  namedIn(text: string): readonly string[] {
    const literal = (part: string): string => part.replace(/[.+-]/g, '\\$&')
    const pattern = new RegExp(
      `(?<![\\w.+-])${literal(this.#local)}(?:\\+[\\w.]{1,60})?@${literal(this.#domain)}(?!\\.?[\\w-])`,
      'gi',
    )
    const found = new Set(Array.from(text.matchAll(pattern), ([address]) => address.toLowerCase()))
    return [...found].sort((one, other) => other.length - one.length).slice(0, MOST_NAMED)
  }

  /** Whether it is the address itself, or any with a tag. */
  isOurs(address: string): boolean {
    return this.#tagOf(address) !== undefined
  }

  /** The subscription that the mail was about; undefined if we never made the address, or too long ago. */
  read(address: string, now: Instant): SubscriptionId | undefined {
    const tag = this.#tagOf(address) ?? ''
    const parts = MARK.exec(tag)?.groups ?? {}
    const key = signerOf(this.#signing, 'bounce-address', tag, parts)
    if (key === undefined || (key.timedUntil !== undefined && key.timedUntil <= now)) return undefined
    const { id = '', day } = parts
    const age = Math.floor(now / DAY) - Number(day)
    return age >= -1 && age <= GOOD ? Number.parseInt(id, 36) : undefined
  }

  /** Empty without a tag; undefined if it is another address. Servers may have changed the case. */
  #tagOf(address: string): string | undefined {
    const lower = address.toLowerCase()
    const ending = `@${this.#domain}`
    if (!lower.startsWith(this.#local) || !lower.endsWith(ending)) return undefined
    const rest = lower.slice(this.#local.length, -ending.length)
    if (rest === '') return ''
    return rest.startsWith('+') ? rest.slice(1) : undefined
  }
}
