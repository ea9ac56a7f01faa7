import type { SignUpGroupStore } from '@rollcall/core'
import { SIGN_UP_GROUP_STORE } from '../../tables/sign-up-groups.ts'
import type { Transaction } from '../transaction.ts'
import type { NewRows } from './new-rows.ts'
import type { RowCache } from './row-cache.ts'
import { postgresStore } from './run-methods.ts'

const store = postgresStore(SIGN_UP_GROUP_STORE)

export const postgresSignUpGroupStore = (unit: Transaction, cache: RowCache, rows: NewRows): SignUpGroupStore => ({
  ...store(unit),
  add: async (group, members, expiresAt) => {
    for (const [n, { id, episode = null }] of members.entries()) {
      const { seq } = await cache.of(id)
      if (seq === undefined) throw new RangeError('There is no subscription for this member of a group.')
      rows.add('groupMembers', { name: group, n, subscription: seq, episode, expires_at: expiresAt })
    }
  },
})
