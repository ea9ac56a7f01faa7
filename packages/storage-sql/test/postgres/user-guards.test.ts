import { libraryUsers, type StorageUnderTest, userGuardsContract } from '@rollcall/core/contract'
import { describe } from 'vitest'
import { openPostgresStorage } from '../../src/postgres/index.ts'
import { sharedDatabase } from './temporary-storage.ts'

const openOn = async (url: string): Promise<StorageUnderTest> => {
  const { unitOfWork, readers, userChanges, close } = await openPostgresStorage({ url })
  return { unitOfWork, readers, userChanges, openAnother: () => openOn(url), dispose: close }
}

describe('users by the library, on PostgreSQL', () => {
  userGuardsContract(async (settings) => libraryUsers(await openOn(await sharedDatabase()), settings), {
    rounds: 100,
  })
})
