import type { Person } from '../audit/reason.ts'
import type { Subscription } from './subscription.ts'

/** Whose subscription it is, as far as no reason must say so. */
export const ownerOf = ({ name, email, addressKey }: Subscription): Person => ({
  whose: "the owner's",
  name,
  addresses: [email, addressKey],
})
