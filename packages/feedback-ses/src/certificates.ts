import { type KeyObject, X509Certificate } from 'node:crypto'
import { type Clock, Unavailable } from '@rollcall/core'
import { getFrom } from './get-from.ts'

/** How long a certificate is used without being asked for again. */
const KEPT = 24 * 3_600_000
const MOST_KEPT = 20
/** Amazon has few certificates: messages that name more of them are not from Amazon. */
const MOST_UNKNOWN = 10
const WITHIN = 60_000

interface Known {
  readonly since: number
  /** Undefined if there is no certificate that can be used. */
  readonly key: Promise<KeyObject | undefined>
}

/** The public keys in certificates, each fetched once a day. */
export class Certificates {
  readonly #clock: Clock
  readonly #fetch: typeof fetch
  readonly #known = new Map<string, Known>()
  #asked: number[] = []

  constructor(clock: Clock, fetchFrom: typeof fetch) {
    this.#clock = clock
    this.#fetch = fetchFrom
  }

  /**
   * The key of the certificate at a URL that was checked; undefined if there is none, or none that is valid now.
   * @throws {Unavailable} it cannot be had at this moment
   */
  async keyAt(url: string): Promise<KeyObject | undefined> {
    const now = this.#clock.now()
    const known = this.#known.get(url)
    if (known !== undefined && now - known.since < KEPT) return await known.key
    this.#asked = this.#asked.filter((at) => now - at < WITHIN && at <= now)
    if (this.#asked.length >= MOST_UNKNOWN) throw new Unavailable({ retryAfter: WITHIN })
    this.#asked.push(now)
    const key = this.#load(url, now)
    this.#known.set(url, { since: now, key })
    for (const oldest of this.#known.keys()) if (this.#known.size > MOST_KEPT) this.#known.delete(oldest)
    // What is not there, or not to be had, is asked for again with the next message.
    const forget = (): unknown => this.#known.delete(url)
    key.then((found) => found ?? forget(), forget)
    return await key
  }

  async #load(url: string, now: number): Promise<KeyObject | undefined> {
    const answer = await getFrom(url, this.#fetch)
    if (answer.status >= 500) throw new Unavailable()
    if (answer.status !== 200) return undefined
    try {
      const certificate = new X509Certificate(answer.body)
      const isValid = certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime()
      return isValid && certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate.publicKey : undefined
    } catch {
      return undefined
    }
  }
}
