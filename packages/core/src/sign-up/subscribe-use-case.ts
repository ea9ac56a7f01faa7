import type { Feed, FeedName } from '../feeds/feed.ts'
import { readAll } from '../read-all.ts'
import { addressHash } from '../subscriptions/email-address.ts'
import { type SubscriptionId, subscriptionIdentity } from '../subscriptions/subscription-id.ts'
import { UseCase } from '../use-case.ts'
import { isFilledByMachine } from './honeypot.ts'
import { askedFeeds, readFeedNames, readPerson, type SubscribeCommand } from './read-sign-up.ts'
import type { NewRequest } from './waiting-request.ts'

/** The subscription to one feed, as every caller is told of it, whatever is stored. */
export interface AcceptedSubscription {
  readonly name: string
  readonly email: string
  readonly id: SubscriptionId
  readonly feed: FeedName
}

/** The answer that every caller gets. Of several feeds, it is the subscription to the first. */
export interface SubscribeResult extends AcceptedSubscription {
  /** One for each feed, in the order in which the feeds were given. */
  readonly subscriptions: readonly AcceptedSubscription[]
  /** Where to send a browser back to, if the form asked for it. */
  readonly returnTo: string | undefined
  /**
   * Resolves once the subscription and its mail are stored, for a host that reads back at once. At rest that takes a tenth
   * of a second; after two seconds it does not wait any longer.
   */
  processed(): Promise<void>
}

export class SubscribeUseCase extends UseCase<
  'blockedDomains' | 'requests' | 'clock' | 'digests' | 'domainNames' | 'challenge' | 'stamps'
> {
  /**
   * Takes a sign-up, to one feed or to several. When this resolves, the request is on durable storage; it will be carried
   * out, and the mail that is owed sent. What it resolves with follows from the form alone: nothing that is stored about the
   * address is read.
   * @throws {InvalidInput} a field is not valid, or a feed does not exist or takes no sign-ups: all or nothing
   * @throws {Unavailable} storage is down, or too many requests wait
   */
  async execute(command: SubscribeCommand): Promise<SubscribeResult> {
    const { blockedDomains, requests, digests, clock, challenge } = this.ports
    const solved = await challenge.verify(command.altcha)
    const [found] = await Promise.allSettled([this.#feeds(command)])
    const { person, feeds } = readAll({
      stamp: () => this.ports.stamps.check(command.stamp),
      person: () => readPerson(command, this.ports),
      feeds: () => {
        if (found.status === 'rejected') throw found.reason
        return askedFeeds(found.value, command)
      },
    })
    const { address, name, locale } = person
    const hash = addressHash(digests, address.key)
    const because = blockedDomains.has(address) ? 'blocked-domain' : undefined
    const isTrapped = isFilledByMachine(command)
    const isKept = !isTrapped && because === undefined
    const sentAt = { at: clock.now(), address: isKept ? hash : undefined }
    const asked: NewRequest['asked'] = !isKept
      ? { kind: 'trap', feed: feeds[0]?.feed, ...(!isTrapped && { because }) }
      : {
          kind: 'sign-up',
          email: address.value,
          addressKey: address.key,
          name,
          locale,
          source: command.source,
          feeds,
          together: command.feeds !== undefined,
        }
    if (!(await requests.append({ ...sentAt, asked }, solved))) throw challenge.spentBefore()
    const accepted = feeds.map(({ feed }) => {
      const identity = subscriptionIdentity(digests, feed, address.key)
      return { name, email: command.email, id: requests.idOf(identity), feed }
    })
    const [first] = accepted
    if (first === undefined) throw new TypeError('A form names at least one feed.')
    const processed = () => requests.settled(hash)
    return { ...first, subscriptions: accepted, returnTo: command.returnTo || undefined, processed }
  }

  /** What there is under the names of the form. */
  async #feeds(command: SubscribeCommand): Promise<readonly (Feed | undefined)[]> {
    return await Promise.all(readFeedNames(command).map((name) => this.ports.requests.feed(name)))
  }
}
