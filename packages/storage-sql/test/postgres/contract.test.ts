import { type StorageUnderTest, storageContract } from '@rollcall/core/contract'
import { describe } from 'vitest'
import { openPostgresStorage } from '../../src/postgres/index.ts'
import { cleanDatabase, withLeastRights } from '../postgres-server/databases.ts'

const openOn = async (url: string, remove: () => Promise<void>): Promise<StorageUnderTest> => {
  const { unitOfWork, readers, inbox, userChanges, close } = await openPostgresStorage({ url })
  return {
    unitOfWork,
    readers,
    inbox,
    userChanges,
    openAnother: () => openOn(url, async () => undefined),
    dispose: async () => {
      await close()
      await remove()
    },
  }
}

describe('on PostgreSQL, as a role that owns nothing', () => {
  storageContract(async () => {
    const { url, drop } = await cleanDatabase()
    return openOn(withLeastRights(url), drop)
  })
})
