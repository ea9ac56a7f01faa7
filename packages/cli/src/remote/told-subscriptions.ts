import {
  type ConsentDeed,
  type ConsentRecord,
  parseFeedName,
  type Subscription,
  type SubscriptionStatus,
} from '@rollcall/core'
import type { Told } from './told.ts'
import { addressKeyOf } from './told-users.ts'

/** A subscription without what is nobody's business outside: its episode, its next expiry and its last mail. */
export const toldSubscription = (told: Told): Subscription => ({
  id: told.number('id'),
  feed: told.parsed('feed', (text) => parseFeedName(text, 'feed')),
  email: told.text('email'),
  addressKey: told.parsed('email', addressKeyOf),
  name: told.text('name'),
  locale: told.optionalText('locale'),
  status: told.text('status') as SubscriptionStatus,
  episode: '',
  createdAt: told.instant('created_at'),
  confirmedAt: told.optionalInstant('confirmed_at'),
  endedAt: told.optionalInstant('ended_at'),
  expiresAt: undefined,
  lastMail: undefined,
})

export const toldConsent = (told: Told): ConsentRecord => ({
  at: told.instant('at'),
  deed: told.text('deed') as ConsentDeed,
  via: told.text('via'),
  wording: told.text('wording'),
  language: told.optionalText('language'),
  clientAddress: told.optionalText('client_address'),
  userAgent: told.optionalText('user_agent'),
  count: told.number('count'),
})
