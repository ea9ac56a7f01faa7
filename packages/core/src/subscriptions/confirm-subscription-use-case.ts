import { InvalidInput, LinkNotValid } from '../errors.ts'
import { liftUndeliverable } from '../feedback/deliverability.ts'
import { UseCase } from '../use-case.ts'
import type { ConsentSource } from './consent.ts'
import { subscriptionsOfLink } from './link-token.ts'
import { isExpired, type Subscription } from './subscription.ts'
import { confirmAndRecord } from './subscription-transitions.ts'

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
  /** Where the link is for several feeds, all that are confirmed now. */
  readonly subscriptions: readonly Subscription[]
  /** It was confirmed by this link before. */
  readonly already: boolean
}

export class ConfirmSubscriptionUseCase extends UseCase<
  'signedLinks' | 'clock' | 'digests' | 'unitOfWork' | 'requests' | 'randomness' | 'transport'
> {
  /**
   * pending -> confirmed, once; repeating it changes nothing and says so.
   * @throws {LinkNotValid} it has no valid signature, has expired or was superseded, or the feed is being deleted
   * @throws {InvalidInput} none of the feeds that it is for is chosen
   */
  async execute({ token, source, feeds }: ConfirmCommand): Promise<ConfirmationResult> {
    const claims = this.ports.signedLinks.require('confirm', token)
    const { confirmed, count } = await this.ports.unitOfWork.run(async (stores) => {
      const now = this.ports.clock.now()
      await this.ports.requests.firstOf(stores, claims.id)
      const found = await subscriptionsOfLink(claims, stores)
      const good = found.filter((one) => one.status !== 'ended' && !(claims.group && isExpired(one, now)))
      if (good.length === 0) throw new LinkNotValid()
      const confirmed: Subscription[] = []
      let count = 0
      for (const current of chosenOf(good, feeds)) {
        if (current.status === 'confirmed') confirmed.push(current)
        else if ((await stores.feeds.find(current.feed))?.deletingSince === undefined) {
          confirmed.push(await confirmAndRecord(stores, current, source, now, this.ports))
          count++
        }
      }
      const [first] = confirmed
      if (first) await liftUndeliverable(stores, first.address, now)
      return { confirmed, count }
    })
    const [subscription] = confirmed
    if (subscription === undefined) throw new LinkNotValid()
    return { subscription, subscriptions: confirmed, already: count === 0 }
  }
}

const chosenOf = (found: readonly Subscription[], feeds: readonly string[] | undefined): readonly Subscription[] => {
  const chosen = feeds === undefined ? found : found.filter(({ feed }) => feeds.includes(feed))
  if (chosen.length > 0) return chosen
  const names = found.map(({ feed }) => feed).join(', ')
  throw new InvalidInput([{ field: 'feeds', message: `Choose at least one of these: ${names}.` }])
}
