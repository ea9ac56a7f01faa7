import { type Instant, SECOND } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'

/** Longer than a healthy relay takes for a mail. */
const SLOW = 5 * SECOND
/** The share of the concurrency that one slow domain may use. */
const SHARE = 0.25
/** How many mails may be sent but not yet stored as sent, per concurrent delivery. */
const UNWRITTEN = 2

interface Sending {
  readonly domain: string
  readonly since: Instant
}

/** Mails in flight: at most as many as the transport allows, and not all of them to a slow domain. */
export class MailsInFlight {
  readonly #clock: Clock
  readonly #most: number
  readonly #sending = new Set<Sending>()
  readonly #deliveries = new Set<Promise<void>>()
  #waiting: (() => void)[] = []

  constructor(clock: Clock, most: number) {
    this.#clock = clock
    this.#most = most
  }

  /** How many others may begin now. */
  get free(): number {
    return Math.min(this.#most - this.#sending.size, this.#most * (1 + UNWRITTEN) - this.#deliveries.size)
  }

  get isFull(): boolean {
    return this.free <= 0
  }

  /** Whether no other may begin before some are stored. */
  get isUnwritten(): boolean {
    return this.#deliveries.size >= this.#most * (1 + UNWRITTEN)
  }

  /** Resolves when another one may begin. */
  async room(): Promise<void> {
    while (this.isFull) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** The delivery gets a callback to report that the mail has left, and must never reject. */
  begin(to: string, deliver: (left: () => void) => Promise<void>): void {
    const sending = { domain: domainOf(to), since: this.#clock.now() }
    this.#sending.add(sending)
    const delivery = deliver(() => {
      this.#sending.delete(sending)
      this.#goOn()
    })
    this.#deliveries.add(delivery)
    delivery.then(() => {
      this.#deliveries.delete(delivery)
      this.#goOn()
    })
  }

  /** Whether so many mails to the domain are slow that no more may begin. */
  isHeldUp(to: string): boolean {
    const domain = domainOf(to)
    const slowSince = this.#clock.now() - SLOW
    const slow = [...this.#sending].filter((sending) => sending.domain === domain && sending.since <= slowSince)
    return slow.length > 0 && slow.length >= this.#most * SHARE
  }

  /** Resolves when all are done. */
  async end(): Promise<void> {
    await Promise.all(this.#deliveries)
  }

  #goOn(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const go of waiting) go()
  }
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
