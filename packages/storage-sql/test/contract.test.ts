import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type StorageUnderTest, storageContract } from '@rollcall/core/contract'
import { describe } from 'vitest'
import { migrateSqlite, openSqliteStorage } from '../src/sqlite/index.ts'
import { lookAt } from './temporary-storage.ts'

const openOn = async (file: string, remove: () => void): Promise<StorageUnderTest> => {
  const { unitOfWork, readers, close } = await openSqliteStorage({ file })
  return {
    unitOfWork,
    readers,
    signUpCount: async (outcome) =>
      lookAt(file, (database) => {
        const count = database.prepare<[string], number>('SELECT count FROM sign_up_count WHERE outcome = ?').pluck()
        return count.get(outcome) ?? 0
      }),
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
    await migrateSqlite(file)
    return openOn(file, () => rmSync(folder, { recursive: true, force: true }))
  })
})
