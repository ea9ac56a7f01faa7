import type { SubscribeResult } from '@rollcall/core'

/** What everybody is told, whatever was known of the address. */
export const subscriptionResult = ({ name, email, id, feed }: SubscribeResult) => ({
  message: 'User subscription pending. A confirmation email has been sent.',
  subscription: { name, email, id, feed },
})
