import { DAY, type Instant } from '../instant.ts'
import type { Digests } from '../platform/digests.ts'
import { idInBase36, type SubscriptionId } from '../subscriptions/subscription.ts'

/** How many days an address is good after that of the mail. */
const GOOD = 14
const MARK = /^(?<id>[1-9a-z][0-9a-z]{0,10})\.(?<day>[1-9]\d{0,6})\.(?<mac>[0-9a-f]{20})$/

/**
 * Addresses that our own mails come back to. Each names its subscription and day, and is signed: anybody can mail a
 * report, but only a server that got our mail knows where to.
 */
export class BounceAddresses {
  readonly #digests: Digests
  readonly #local: string
  readonly #domain: string

  /** @param base such as `bounces@news.example.com`, in lower case */
  constructor(digests: Digests, base: string) {
    this.#digests = digests
    const at = base.lastIndexOf('@')
    this.#local = base.slice(0, at)
    this.#domain = base.slice(at + 1)
  }

  of(subscription: SubscriptionId, now: Instant): string {
    const claims = `${idInBase36(subscription)}.${Math.floor(now / DAY)}`
    return `${this.#local}+${claims}.${this.#mac(claims)}@${this.#domain}`
  }

  /** Whether it is the address itself, or any with a tag. */
  isOurs(address: string): boolean {
    return this.#tagOf(address) !== undefined
  }

  /** The subscription that the mail was about; undefined where we never made the address, or too long ago. */
  read(address: string, now: Instant): SubscriptionId | undefined {
    const tag = this.#tagOf(address) ?? ''
    const { id = '', day = '', mac = '' } = MARK.exec(tag)?.groups ?? {}
    if (mac === '' || !this.#digests.equal(this.#mac(`${id}.${day}`), mac)) return undefined
    const age = Math.floor(now / DAY) - Number(day)
    return age >= -1 && age <= GOOD ? Number.parseInt(id, 36) : undefined
  }

  /** Empty without a tag; undefined where it is another address. Servers may have changed the case. */
  #tagOf(address: string): string | undefined {
    const lower = address.toLowerCase()
    const ending = `@${this.#domain}`
    if (!lower.startsWith(this.#local) || !lower.endsWith(ending)) return undefined
    const rest = lower.slice(this.#local.length, -ending.length)
    if (rest === '') return ''
    return rest.startsWith('+') ? rest.slice(1) : undefined
  }

  #mac(claims: string): string {
    return this.#digests.hmac('bounce-address', claims).slice(0, 20)
  }
}
