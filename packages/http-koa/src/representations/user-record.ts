import type { User } from '@rollcall/core'
import { timestamp } from './timestamp.ts'

export const userRecord = (user: User) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  roles: user.roles,
  created_at: timestamp(user.createdAt),
  updated_at: timestamp(user.updatedAt),
})
