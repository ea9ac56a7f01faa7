import { Batches, type Outcome } from '../batches.ts'
import { DomainError } from '../errors.ts'
import { subscriptionEvent } from '../events/event-store.ts'
import { liftUndeliverable } from '../feedback/deliverability.ts'
import { type Feed, type FeedName, feedsOf, welcomesNow } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import { newMail, takeBack } from '../outbox/pending-mail.ts'
import type { SignUpGroupMember } from '../sign-up/sign-up-group-store.ts'
import type { Stores } from '../unit-of-work.ts'
import { type Needs, UseCase } from '../use-case.ts'
import { type ConsentSource, consentRecord, wordingOf } from './consent.ts'
import { type Confirmation, decideConfirmation } from './decide-confirmation.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionId } from './subscription-id.ts'
import { welcome } from './subscription-transitions.ts'

export interface LinkCommand {
  readonly token: string
  readonly source: ConsentSource
}

export interface ConfirmCommand extends LinkCommand {
  /** Which of the feeds that the link is for; by default all. */
  readonly feeds?: readonly string[] | undefined
}

export interface ConfirmationResult {
  readonly subscription: Subscription
  /** If the link is for several feeds, all that are confirmed now. */
  readonly subscriptions: readonly Subscription[]
  /** It was confirmed by this link before. */
  readonly already: boolean
}

type Ports = 'signedLinks' | 'clock' | 'unitOfWork' | 'requests' | 'randomness' | 'transport'

interface PressedLink extends Confirmation {
  readonly source: ConsentSource
}

const MOST_LINKS = 64

export class ConfirmSubscriptionUseCase extends UseCase<Ports> {
  readonly #batches: Batches<PressedLink, ConfirmationResult>

  constructor(ports: Needs<Ports>) {
    super(ports)
    const atOnce = ports.unitOfWork.sideBySide ? 2 : 1
    const run = (links: readonly PressedLink[]) => ports.unitOfWork.run((stores) => this.#confirm(stores, links))
    this.#batches = new Batches(run, { most: MOST_LINKS, atOnce })
  }

  /**
   * pending -> confirmed, once; repeating it changes nothing and says so. Those that are pressed at the same time share
   * a unit of work.
   * @throws {LinkNotValid} it has no valid signature, has expired or was superseded, or the feed is being deleted
   * @throws {InvalidInput} none of the feeds that it is for is chosen
   */
  async execute({ token, source, feeds }: ConfirmCommand): Promise<ConfirmationResult> {
    return await this.#batches.run({ claims: this.ports.signedLinks.require('confirm', token), source, feeds })
  }

  async #confirm(stores: Stores, links: readonly PressedLink[]): Promise<readonly Outcome<ConfirmationResult>[]> {
    const now = this.ports.clock.now()
    const groups = new Set(links.flatMap(({ claims: { group } }) => group ?? []))
    const members = groups.size === 0 ? new Map<string, never>() : await stores.signUpGroups.membersOf([...groups])
    const subscriptions = await this.#find(stores, links, members)
    const feeds = await feedsOf(stores.feeds, subscriptions.values())
    const standing = new Set(
      [...feeds.values()].filter((feed) => feed.deletingSince === undefined).map(({ name }) => name),
    )
    const before = new Map(subscriptions)
    const began: { readonly subscription: Subscription; readonly source: ConsentSource }[] = []
    const outcomes = links.map((link): Outcome<ConfirmationResult> => {
      try {
        const facts = { subscriptions, standing, members: members.get(link.claims.group ?? '') ?? [] }
        const changes = decideConfirmation(facts, link, now)
        for (const subscription of changes.began) {
          subscriptions.set(subscription.id, subscription)
          began.push({ subscription, source: link.source })
        }
        return { value: resultOf(changes.confirmed, changes.began.length === 0) }
      } catch (error) {
        if (error instanceof DomainError) return { error }
        throw error
      }
    })
    const confirmed = began.map(({ subscription }) => subscription)
    await withdrawMails(
      stores,
      confirmed.flatMap(({ id }) => before.get(id) ?? []),
    )
    await stores.subscriptions.put(...(await this.#welcomed(stores, confirmed, feeds, now)))
    for (const { subscription, source } of began) {
      const { id, feed, locale: language } = subscription
      const wording = wordingOf(feeds.get(feed))
      await stores.consents.append(id, consentRecord({ deed: 'confirmed', at: now, source, language, wording }))
    }
    await stores.events.append(...confirmed.map((one) => subscriptionEvent('subscription.confirmed', one, now)))
    const pressed = outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value.subscription.address] : []))
    await liftUndeliverable(stores, [...new Set(pressed)], now)
    return outcomes
  }

  /** As they are once what was asked about their addresses before is carried out. */
  async #find(
    stores: Stores,
    links: readonly PressedLink[],
    members: ReadonlyMap<string, readonly SignUpGroupMember[]>,
  ): Promise<Map<SubscriptionId, Subscription>> {
    const ids = new Set(links.map(({ claims }) => claims.id))
    for (const group of members.values()) for (const { id } of group) ids.add(id)
    const current = await this.ports.requests.firstOfAll(stores, () => stores.subscriptions.findMany([...ids]))
    return new Map(current.map((one) => [one.id, one]))
  }

  /** Those whose feed welcomes them, with the mail that does as their last one. */
  async #welcomed(
    stores: Stores,
    confirmed: readonly Subscription[],
    feeds: ReadonlyMap<FeedName, Feed>,
    now: Instant,
  ): Promise<readonly Subscription[]> {
    const isWelcomed = ({ feed }: Subscription): boolean => welcomesNow(feeds.get(feed))
    const mails = confirmed.filter(isWelcomed).map((one) => newMail(this.ports, welcome(one, now), now))
    if (mails.length === 0) return confirmed
    const ids = (await stores.outbox.addMany(mails)).values()
    return confirmed.map((one) => (isWelcomed(one) ? { ...one, lastMail: ids.next().value } : one))
  }
}

const resultOf = (confirmed: readonly Subscription[], already: boolean): ConfirmationResult => {
  const [subscription] = confirmed
  if (subscription === undefined) throw new TypeError('A link that is good confirms something.')
  return { subscription, subscriptions: confirmed, already }
}

/** Copies of the mails that asked may still wait; they have nothing left to ask. */
const withdrawMails = async (stores: Stores, confirmed: readonly Subscription[]): Promise<void> => {
  const owners = confirmed.filter(({ lastMail }) => lastMail !== undefined)
  const waiting = await stores.outbox.findMany([...new Set(owners.flatMap(({ lastMail }) => lastMail ?? []))])
  for (const mail of waiting) {
    const isOf = ({ id, lastMail }: Subscription) =>
      lastMail === mail.id && (mail.subscriptionId === id || mail.signUpGroup !== undefined)
    const leaving = owners.filter(isOf).map(({ id }) => id)
    if (leaving.length > 0) await takeBack(stores, mail, leaving)
  }
}
