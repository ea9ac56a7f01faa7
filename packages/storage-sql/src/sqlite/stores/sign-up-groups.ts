import type { SignUpGroupStore } from '@rollcall/core'
import { SIGN_UP_GROUP, SIGN_UP_GROUP_STORE } from '../../tables/sign-up-groups.ts'
import { columnsOf, insertInto } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { type Places, requirePlace } from './places.ts'
import { sqliteStore } from './run-methods.ts'

export const sqliteSignUpGroupStore = (writer: Writer, places: Places): Synchronous<SignUpGroupStore> => {
  const insert = writer.connection.prepare(insertInto('sign_up_group', columnsOf(SIGN_UP_GROUP)))
  return {
    ...sqliteStore(SIGN_UP_GROUP_STORE, writer),
    add: (group, members, expiresAt) => {
      for (const [n, { id, episode }] of members.entries())
        writer.write(insert, group, n, requirePlace(places, id, 'member of a group'), episode ?? null, expiresAt)
    },
  }
}
