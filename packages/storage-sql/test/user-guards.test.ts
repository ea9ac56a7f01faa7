import { libraryUsers, type StorageUnderTest, userGuardsContract } from '@rollcall/core/contract'
import { describe } from 'vitest'
import { openSqliteStorage } from '../src/sqlite/index.ts'
import { newDatabase } from './temporary-storage.ts'

const openOn = async (file: string): Promise<StorageUnderTest> => {
  const { unitOfWork, readers, close } = await openSqliteStorage({ file })
  return { unitOfWork, readers, openAnother: () => openOn(file), dispose: close }
}

describe('users by the library, on SQLite', () => {
  userGuardsContract(async (settings) => libraryUsers(await openOn(await newDatabase()), settings), { rounds: 100 })
})
