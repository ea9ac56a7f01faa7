import { type AuditReader, DONE, type UseCases } from '@rollcall/core/all'
import type { Storage } from './database.ts'

const USERS_ON_RECORD = 'users-on-record'

/** Puts the roles of all users into the trail, once for a database: the first release did not do so with each change. */
export const putUsersOnRecord = async (
  storage: Pick<Storage, 'recall' | 'settle' | 'readers'>,
  { recordUsers }: Pick<UseCases, 'recordUsers'>,
): Promise<void> => {
  if ((await storage.recall(USERS_ON_RECORD)) !== undefined) return
  if (await lacksRoles(storage.readers.audit)) await recordUsers.execute()
  await storage.settle(USERS_ON_RECORD, 'yes')
}

const STRETCH = 1_000

/** Whether the first user was put by a release that kept nothing of roles in the trail. */
const lacksRoles = async (audit: AuditReader): Promise<boolean> => {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Awaited<ReturnType<AuditReader['list']>> = await audit.list({ after, limit: STRETCH })
    const first = page.items.find(({ action, outcome }) => action === 'user.put' && outcome === DONE)
    if (first !== undefined) return first.rolesHash === undefined
    after = page.next
  }
  return false
}
