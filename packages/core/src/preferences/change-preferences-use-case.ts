import { InvalidInput } from '../errors.ts'
import { subscriptionEvent } from '../events/event-store.ts'
import { liftUndeliverable } from '../feedback/deliverability.ts'
import { without } from '../feeds/erase-fields.ts'
import { type Feed, noteStoredFields, takesSignUps } from '../feeds/feed.ts'
import {
  asFieldValues,
  declaredFields,
  type FieldValues,
  limitFieldValues,
  readFieldValues,
  type SubmittedFields,
} from '../feeds/feed-fields.ts'
import type { Instant } from '../instant.ts'
import { forgetMails } from '../outbox/forget-mails.ts'
import {
  appendOrCount,
  type ConsentAction,
  type ConsentRecord,
  type ConsentSource,
  consentRecord,
  wordingOf,
} from '../subscriptions/consent.ts'
import { confirmAndRecord, endAndRecord } from '../subscriptions/subscription-transitions.ts'
import { allowMailbox } from '../suppressions/mailbox-hashes.ts'
import { kindsIn } from '../suppressions/suppression-store.ts'
import { parseOneOf } from '../text.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { type FeedSubscription, openPreferences, type Preferences } from './preferences.ts'
import type { PreferencesCommand } from './show-preferences-use-case.ts'

export const PREFERENCES_ACTIONS = ['subscribe', 'update', 'end', 'end-all', 'erase', 'never-again', 'allow'] as const

export type PreferencesAction = (typeof PREFERENCES_ACTIONS)[number]

export interface ChangePreferencesCommand extends PreferencesCommand {
  readonly action: string
  /** For `subscribe`, `update` and `end`: which. */
  readonly feed?: string | undefined
  /** For `erase`: that no mail is sent afterwards, even on request. */
  readonly neverAgain?: boolean | undefined
  /** For `update`: what it gives for public fields of the feed, by their names; null takes a value away. */
  readonly fields?: SubmittedFields | undefined
  readonly source: ConsentSource
}

export interface ChangePreferencesResult {
  readonly action: PreferencesAction
  /** For `subscribe`, `update` and `end`: the feed that was meant. */
  readonly feed: Feed | undefined
  /** As they are now; undefined once everything is erased. */
  readonly preferences: Preferences | undefined
}

/** Carries out an action of the owner of an address. The link proves ownership: no further mail is needed. */
export class ChangePreferencesUseCase extends UseCase<
  'signedLinks' | 'digests' | 'unitOfWork' | 'requests' | 'clock' | 'randomness' | 'erasure' | 'transport'
> {
  /**
   * All of it or nothing; doing it again changes nothing. After `erase` the link is dead.
   * @throws {LinkNotValid} it has no valid signature, its hour is over, or the subscription that it was mailed for is gone
   * @throws {InvalidInput} there is no such action, or it cannot be done to this feed
   */
  async execute(command: ChangePreferencesCommand): Promise<ChangePreferencesResult> {
    const { result, effect } = await this.ports.unitOfWork.run(async (stores) => {
      await this.ports.requests.firstOf(stores, this.ports.signedLinks.require('preferences', command.token).id)
      const before = await openPreferences(stores, command.token, this.ports)
      const action = parseOneOf('action', command.action, PREFERENCES_ACTIONS)
      // The link came by mail, so mails arrive.
      await liftUndeliverable(stores, [before.own.subscription.address], this.ports.clock.now())
      const effect = await this.#change(stores, before, { ...command, action })
      const preferences = action === 'erase' ? undefined : await openPreferences(stores, command.token, this.ports)
      return { result: { action, feed: effect.feed, preferences }, effect }
    })
    if (effect.mails) await forgetMails(this.ports.transport, effect.mails)
    return result
  }

  async #change(stores: Stores, before: Preferences, change: Change): Promise<Effect> {
    const { source } = change
    switch (change.action) {
      case 'subscribe':
        return await this.#subscribe(stores, before, change)
      case 'update':
        return await this.#update(stores, before, change)
      case 'end': {
        const subject = subjectOf(before, change)
        return { ...(await this.#end(stores, [subject], 'ended', source)), feed: subject.feed }
      }
      case 'end-all':
        return await this.#end(stores, before.subscriptions, 'ended', source)
      case 'never-again':
        await this.#suppress(stores, before)
        return await this.#end(stores, before.subscriptions, 'refused', source)
      case 'allow':
        return await this.#allow(stores, before, source)
      case 'erase':
        return await this.#erase(stores, before, change)
    }
  }

  /** A pending one may be confirmed wherever its own link could; an ended one only if sign-ups are taken. */
  async #subscribe(stores: Stores, before: Preferences, change: Change): Promise<Effect> {
    const { subscription, feed } = subjectOf(before, change)
    if (subscription.status === 'confirmed') return { feed }
    if (before.suppression?.block) throw invalid('action', BLOCKED)
    if (before.suppression) throw invalid('action', "This address wants no mail. Send the action 'allow' first.")
    const possible = subscription.status === 'pending' ? feed.deletingSince === undefined : takesSignUps(feed)
    if (!possible) throw invalid('feed', 'This feed takes no new subscriptions. Choose another.')
    const at = this.ports.clock.now()
    const request = recordOf('requested', { subscription, feed }, at, change.source)
    await appendOrCount(stores.consents, subscription.id, request)
    // No link of the life before may end or refuse the new one.
    const episode = subscription.status === 'ended' ? this.ports.randomness.hex(8) : subscription.episode
    await confirmAndRecord(stores, { ...subscription, episode }, change.source, at, this.ports)
    return { feed }
  }

  /** Fields that are not given stay as they are. */
  async #update(stores: Stores, before: Preferences, change: Change): Promise<Effect> {
    const { subscription, feed } = subjectOf(before, change)
    const { fields: submitted = {} } = change
    if (subscription.status === 'ended') throw invalid('feed', 'This subscription has ended. Subscribe again first.')
    const { fields: stored = {} } = subscription
    // One that is as it is stays, also if its field takes other values by now. A form has texts alone.
    const isOther = (name: string): boolean =>
      submitted[name] === null || stored[name] === undefined || String(submitted[name]) !== String(stored[name])
    const given = declaredFields(feed).filter(
      ({ name, public: isPublic }) => isPublic && Object.hasOwn(submitted, name) && isOther(name),
    )
    const values = readFieldValues(given, submitted, { required: false })
    const kept = without(
      stored,
      given.map(({ name }) => name),
    )
    const fields = asFieldValues({ ...kept, ...values })
    limitFieldValues([fields])
    if (JSON.stringify(inOrder(fields)) === JSON.stringify(inOrder(subscription.fields))) return { feed }
    await noteStoredFields(stores, feed, values)
    await stores.subscriptions.put({ ...subscription, fields })
    if (subscription.status === 'confirmed')
      await stores.events.append(subscriptionEvent('subscription.updated', subscription, this.ports.clock.now()))
    return { feed }
  }

  async #end(
    stores: Stores,
    subjects: readonly FeedSubscription[],
    action: ConsentAction,
    source: ConsentSource,
  ): Promise<Effect> {
    const open = subjects.filter(({ subscription }) => subscription.status !== 'ended')
    for (const { subscription } of open) await endAndRecord(stores, subscription, action, source, this.ports)
    return {}
  }

  async #erase(stores: Stores, before: Preferences, { neverAgain }: Change): Promise<Effect> {
    const { addressKey } = before.own.subscription
    const { mails } = await this.ports.erasure.ofAddress(stores, addressKey, 'erase')
    if (neverAgain) await this.#suppress(stores, before)
    return { mails }
  }

  async #suppress({ suppressions }: Stores, { hashes }: Preferences): Promise<void> {
    await suppressions.add(hashes.mailbox, { cause: 'never-again', since: this.ports.clock.now() })
  }

  /** Lifts what the owner asked for, and never a block: that is not the owner's to lift. */
  async #allow(stores: Stores, { hashes, own, suppression }: Preferences, source: ConsentSource): Promise<Effect> {
    if (suppression && kindsIn(suppression).owner === undefined) throw invalid('action', BLOCKED)
    if (await allowMailbox(stores.suppressions, hashes, 'owner'))
      await stores.consents.append(own.subscription.id, recordOf('allowed', own, this.ports.clock.now(), source))
    return {}
  }
}

interface Change extends Omit<ChangePreferencesCommand, 'action'> {
  readonly action: PreferencesAction
}

/** What remains to be done once the change is on durable storage. */
interface Effect {
  readonly feed?: Feed
  /** Message-IDs that the mail transport must forget. */
  readonly mails?: readonly string[]
}

const recordOf = (
  action: ConsentAction,
  { subscription, feed }: FeedSubscription,
  at: Instant,
  source: ConsentSource,
): ConsentRecord => consentRecord({ deed: action, at, source, language: subscription.locale, wording: wordingOf(feed) })

const BLOCKED = 'Mail to this address is blocked. Only an operator of this service can lift that.'

const inOrder = (values: FieldValues = {}) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))

const invalid = (field: string, message: string): InvalidInput => new InvalidInput([{ field, message }])

const subjectOf = ({ subscriptions }: Preferences, { feed }: Change): FeedSubscription => {
  const subject = subscriptions.find(({ subscription }) => subscription.feed === feed)
  if (subject !== undefined) return subject
  const names = subscriptions.map(({ subscription }) => subscription.feed)
  throw invalid('feed', `Use one of these: ${names.join(', ')}.`)
}
