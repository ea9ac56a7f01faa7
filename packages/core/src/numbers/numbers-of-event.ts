import type { DomainEvent } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import type { ConsentRecord } from '../subscriptions/consent.ts'
import { isExpired, type Subscription } from '../subscriptions/subscription.ts'
import { type Counted, counted, END_CAUSES, type EndCause, type EventCause, type NumberChange } from './counted.ts'

/**
 * Why, by what the ledger says of it, and by what it was before. By whatever link somebody leaves: who was confirmed has
 * unsubscribed, and who was not has refused.
 */
export const causeOf = (
  { deed, via }: Pick<ConsentRecord, 'deed' | 'via'>,
  { confirmedAt }: Pick<Subscription, 'confirmedAt'>,
): EventCause => {
  if (via === 'import') return 'imported'
  if (deed === 'moved') return deed
  if (via.startsWith('complaint:')) return 'complained'
  if (via.startsWith('caller:')) return 'by-caller'
  return confirmedAt === undefined ? 'refused' : 'unsubscribed'
}

/** Why a subscription goes: an end counts once. */
export const erasureCauseOf = (subscription: Subscription, now: Instant): EventCause => {
  if (subscription.status === 'ended') return 'ended-before'
  return isExpired(subscription, now) ? 'expired' : 'erased'
}

/** What an event adds to the numbers by day. How many subscriptions there are follows from the subscriptions themselves. */
export const numbersOf = ({ type, at, feed, because }: DomainEvent): readonly NumberChange[] => {
  const what = countedOf(type, because)
  return what === undefined ? [] : [counted(what, feed, at)]
}

const countedOf = (type: DomainEvent['type'], because: EventCause | undefined): Counted | undefined => {
  const imported = because === 'imported'
  switch (type) {
    case 'subscription.pending':
      return imported ? 'imported:pending' : 'requested'
    case 'subscription.confirmed':
      return imported ? 'imported:confirmed' : 'confirmed'
    case 'subscription.ended':
      return imported ? 'imported:ended' : `ended:${isEnd(because) ? because : 'unsubscribed'}`
    case 'subscription.erased':
      if (because === 'ended-before') return undefined
      return because === 'expired' ? 'ended:expired' : 'ended:erased'
    default:
      return undefined
  }
}

const isEnd = (because: EventCause | undefined): because is EndCause => END_CAUSES.some((cause) => cause === because)
