import path from 'node:path'
import type { ListedToken, UserId } from '@rollcall/core'
import { expect, it } from 'vitest'
import {
  backupSqlite,
  NOTHING_WITHDRAWN,
  openSqliteStorage,
  restoreSqlite,
  type Withdrawals,
} from '../src/sqlite/index.ts'
import { aTombstone } from './a-tombstone.ts'
import { newDatabase, newFolder, openStorage } from './temporary-storage.ts'

const aToken = (tokenId: string, subject: string): ListedToken => ({
  ...{ tokenId, subject, roles: ['sender'], feeds: undefined, label: '', issuedBy: 'root' },
  ...{ issuedAt: 1, expiresAt: 9_000_000_000_000, lastUsedAt: undefined, revokedAt: undefined },
})

/** What is listed and refused after a backup was restored over a database in which more was issued, used and revoked. */
const restoredTokens = async (withdrawals: Withdrawals = NOTHING_WITHDRAWN) => {
  const file = await newDatabase()
  const first = await openSqliteStorage({ file })
  await first.unitOfWork.run(async ({ accessTokens }) => {
    for (const id of ['before', 'revoked', 'of-deleted'])
      await accessTokens.add(aToken(id, id === 'of-deleted' ? 'gone' : 'mailer'))
  })
  await first.close()
  const backup = path.join(newFolder(), 'backup')
  await backupSqlite({ file, to: backup, replace: false, files: [] })
  const later = await openSqliteStorage({ file })
  await later.unitOfWork.run(async ({ accessTokens, tombstones }) => {
    await accessTokens.add(aToken('after', 'mailer'))
    await accessTokens.noteUse('before', 5)
    for (const tokenId of ['revoked', 'elsewhere']) await accessTokens.revoke({ tokenId, at: 7, until: 8 })
    await accessTokens.eraseOf('gone')
    await tombstones.put('gone' as UserId, aTombstone)
  })
  await later.close()
  const restore = await restoreSqlite({ file, backup, withdrawals: () => withdrawals })
  await restore.complete()
  const { readers } = await openStorage(file)
  const { items } = await readers.accessTokens.list({ after: 0, limit: 9 })
  const refused = await Promise.all(['before', 'revoked', 'after', 'elsewhere'].map(readers.accessTokens.isRevoked))
  return { items, refused }
}

it('keeps refused what was revoked since, and lists what was issued since, but for users who have gone', async () => {
  const { items, refused } = await restoredTokens()
  expect(items).toEqual([
    { ...aToken('before', 'mailer'), lastUsedAt: 5 },
    { ...aToken('revoked', 'mailer'), revokedAt: 7 },
    aToken('after', 'mailer'),
  ])
  expect(refused).toEqual([false, true, false, true])
})

it('takes the tokens of a user who is withdrawn out of the backup', async () => {
  const { items } = await restoredTokens({ ...NOTHING_WITHDRAWN, users: new Map([['mailer', 3]]) })
  expect(items).toEqual([])
})
