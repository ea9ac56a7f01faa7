import path from 'node:path'
import type { ConsoleSession } from '@rollcall/core'
import { expect, it } from 'vitest'
import { backupSqlite, NOTHING_WITHDRAWN, openSqliteStorage, restoreSqlite } from '../src/sqlite/index.ts'
import { newDatabase, newFolder, openStorage } from './temporary-storage.ts'

const SESSION: ConsoleSession = {
  ...{ id: 'a', secretHash: 'hash', door: 'link', subject: 'ada', roleSource: 'stored', roles: [], tokenId: undefined },
  ...{ feeds: undefined, issuedAt: 1, createdAt: 1, seenAt: 1, expiresAt: 9_000_000_000_000 },
}

it.each(['over the database', 'where there is none'])(
  'brings no login back from a backup, restored %s',
  async (where) => {
    const file = await newDatabase()
    const storage = await openSqliteStorage({ file })
    await storage.unitOfWork.run(async ({ consoleSessions, loginLinks }) => {
      await consoleSessions.add(SESSION)
      await loginLinks.add({ ...SESSION, secretHash: 'link' })
    })
    await storage.close()
    const backup = path.join(newFolder(), 'backup')
    await backupSqlite({ file, to: backup, replace: false, files: [] })
    const place = where === 'over the database' ? file : path.join(newFolder(), 'rollcall.db')
    const restore = await restoreSqlite({ file: place, backup, withdrawals: () => NOTHING_WITHDRAWN })
    await restore.complete()
    const { readers, unitOfWork } = await openStorage(place)
    expect((await readers.consoleSessions.list({ after: 0, limit: 9 })).items).toEqual([])
    expect(await unitOfWork.run(({ loginLinks }) => loginLinks.find('link'))).toBeUndefined()
  },
)
