import type { User } from '../users/user.ts'
import { timestamp } from './timestamp.ts'

/** What of a user is seen outside. */
export type PublishedUser = Omit<User, 'emailKey' | 'tokensNotBefore'>

/** A user as everybody outside sees it. */
export const userRecord = (user: PublishedUser) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  roles: user.roles,
  created_at: timestamp(user.createdAt),
  updated_at: timestamp(user.updatedAt),
})
