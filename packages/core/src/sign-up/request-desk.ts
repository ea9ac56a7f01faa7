import { Unavailable } from '../errors.ts'
import type { Feed, FeedName } from '../feeds/feed.ts'
import { SECOND } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { Readers } from '../readers.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId, SubscriptionIdentity } from '../subscriptions/subscription-id.ts'
import type { Stores } from '../unit-of-work.ts'
import type { SolvedChallenge } from './challenge-gate.ts'
import type { NewRequest, RequestInbox, RequestWorker, WaitingRequest } from './waiting-request.ts'

/** So many requests may wait: then no more are taken, whoever asks. */
export const LONGEST_BACKLOG = 50_000

const LONGEST_WAIT = 2 * SECOND

interface DeskPorts {
  readonly clock: Clock
  readonly inbox: RequestInbox
  readonly readers: Pick<Readers, 'requests' | 'subscriptions'>
  /** Carries out requests within the unit of work that took them. */
  readonly carryOut: (stores: Stores, requests: readonly WaitingRequest[]) => Promise<unknown>
  readonly process: { execute(): Promise<{ readonly more: boolean }> }
  readonly worker: RequestWorker | undefined
}

/** Where requests of the public are handed in, and where others wait until those are carried out. */
export class RequestDesk {
  readonly #ports: DeskPorts
  #backlog = 0
  #displaced: ReadonlyMap<string, SubscriptionId> = new Map()
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(ports: DeskPorts) {
    this.#ports = ports
  }

  feed(name: FeedName): Promise<Feed | undefined> {
    return this.#ports.inbox.feed(name)
  }

  /** The id that a subscription has or will have: the first for it, unless it is known that another has that. */
  idOf(identity: SubscriptionIdentity): SubscriptionId {
    return this.#displaced.get(identity.fingerprint) ?? identity.candidate(0)
  }

  /**
   * As `RequestInbox.append`.
   * @throws {Unavailable} storage is down, or too many requests wait
   */
  async append(request: NewRequest, challenge: SolvedChallenge | undefined): Promise<boolean> {
    await this.#look()
    if (this.#backlog >= LONGEST_BACKLOG) throw new Unavailable()
    this.#backlog++
    if (!(await this.#ports.inbox.append(request, challenge))) return false
    await this.handedIn()
    return true
  }

  /**
   * To be called once a request is on durable storage: if no worker is at work, it is carried out. If storage goes away
   * meanwhile it waits for the next, because it was taken, and the form must not be sent again.
   */
  async handedIn(): Promise<void> {
    try {
      if (!(await this.#ports.worker?.isAtWork())) await this.#carryOutAll()
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
    }
  }

  /**
   * Resolves once all that waits now is carried out, or that which is about the address; for at most two seconds. For
   * operators and hosts: nothing that the public can ask waits for it.
   */
  async settled(address?: AddressHash): Promise<void> {
    const isLeft = await this.#watch(address)
    const deadline = this.#ports.clock.now() + LONGEST_WAIT
    while ((await isLeft()) && this.#ports.clock.now() < deadline) {
      const { worker } = this.#ports
      if (!(await worker?.isAtWork())) return await this.#carryOutAll()
      await worker?.moment()
    }
  }

  /**
   * For a unit of work that changes what is stored of an address: first carries out what was asked about it before, as if
   * that had not waited. Whether there was anything.
   */
  async first(stores: Stores, addresses: readonly AddressHash[]): Promise<boolean> {
    const requests = await stores.requests.takeOf(addresses)
    if (requests.length > 0) await this.#ports.carryOut(stores, requests)
    return requests.length > 0
  }

  /** The same of the address of a subscription, if there is one. */
  async firstOf(stores: Stores, id: SubscriptionId): Promise<void> {
    const subscription = await stores.subscriptions.find(id)
    if (subscription !== undefined) await this.first(stores, [subscription.address])
  }

  /** The same of the addresses of all that `find` finds; what it finds after that. */
  async firstOfAll(stores: Stores, find: () => Promise<readonly Subscription[]>): Promise<readonly Subscription[]> {
    const found = await find()
    const addresses = new Set(found.map(({ address }) => address))
    return (await this.first(stores, [...addresses])) ? await find() : found
  }

  async #watch(address: AddressHash | undefined): Promise<() => Promise<boolean>> {
    const { requests } = this.#ports.readers
    if (address !== undefined)
      return async () => (await requests.ofAddress(address)).some(({ parkedAt }) => parkedAt === undefined)
    const newest = (await requests.backlog()).ends?.newest
    if (newest === undefined) return async () => false
    return async () => {
      const { ends } = await requests.backlog()
      return ends !== undefined && ends.oldest <= newest
    }
  }

  async #carryOutAll(): Promise<void> {
    while ((await this.#ports.process.execute()).more) {}
  }

  /** How much waits, and which ids are taken: once a second, whoever asks. */
  async #look(): Promise<void> {
    const now = this.#ports.clock.now()
    if (Math.abs(now - this.#lookedAt) < SECOND) return
    this.#lookedAt = now
    const { requests, subscriptions } = this.#ports.readers
    const [count, displaced] = await Promise.all([requests.count(), subscriptions.displaced()])
    this.#backlog = count
    this.#displaced = displaced
  }
}
