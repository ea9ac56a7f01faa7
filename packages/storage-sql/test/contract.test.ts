import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type StorageUnderTest, storageContract } from '@rollcall/core/contract'
import { describe } from 'vitest'
import { openSqliteStorage } from '../src/sqlite/index.ts'
import { databaseBytes } from './temporary-storage.ts'

const openOn = async (file: string, remove: () => void): Promise<StorageUnderTest> => {
  const { unitOfWork, readers, close } = await openSqliteStorage({ file })
  return {
    unitOfWork,
    readers,
    openAnother: () => openOn(file, () => undefined),
    dispose: async () => {
      await close()
      remove()
    },
  }
}

describe('on SQLite', () => {
  storageContract(async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-contract-'))
    const file = path.join(folder, 'rollcall.db')
    writeFileSync(file, await databaseBytes(), { mode: 0o600 })
    return openOn(file, () => rmSync(folder, { recursive: true, force: true }))
  })
})
