import { type AcceptedSubscription, FIELD_PREFIX, type SubscribeResult } from '@rollcall/core'
import type { Fields } from '../reading/fields.ts'

/** The sign-up in the fields of a form; `assertGood` of the fields reports what is wrong. */
export const signUpIn = (fields: Fields) => ({
  email: fields.requiredText('email'),
  name: fields.text('name'),
  feed: fields.text('feed'),
  /** In place of one feed. */
  feeds: fields.texts('feeds'),
  locale: fields.text('locale'),
  website: fields.text('website'),
  altcha: fields.text('altcha'),
  stamp: fields.text('stamp'),
  returnTo: fields.text('return_to'),
  fields: fields.withPrefix(FIELD_PREFIX),
})

const MESSAGE = 'User subscription pending. A confirmation email has been sent.'

const accepted = ({ name, email, id, feed }: AcceptedSubscription): AcceptedSubscription => ({ name, email, id, feed })

/** What every sign-up to one feed is answered with. */
export const subscriptionResult = (result: SubscribeResult) => ({ message: MESSAGE, subscription: accepted(result) })

/** What every sign-up to several feeds is answered with. */
export const subscriptionsResult = ({ subscriptions }: SubscribeResult) => ({
  message: MESSAGE,
  subscriptions: subscriptions.map(accepted),
})
