import type { SubscribeCommand, SubscribeResult } from '@rollcall/core'
import type { Fields } from '../reading/fields.ts'

/** The sign-up in the fields of a form; `assertGood` of the fields reports what is wrong. */
export const signUpIn = (fields: Fields): Omit<SubscribeCommand, 'source'> => ({
  email: fields.requiredText('email'),
  name: fields.text('name'),
  feed: fields.text('feed'),
  locale: fields.text('locale'),
  website: fields.text('website'),
  altcha: fields.text('altcha'),
  stamp: fields.text('stamp'),
  returnTo: fields.text('return_to'),
})

/** What every sign-up is answered with. */
export const subscriptionResult = ({ name, email, id, feed }: SubscribeResult) => ({
  message: 'User subscription pending. A confirmation email has been sent.',
  subscription: { name, email, id, feed },
})
