import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  lastAdministratorContract,
  libraryUsers,
  type StorageUnderTest,
  suspensionContract,
  unitOfWorkContract,
  userGuardsContract,
  userListContract,
  userStoreContract,
} from '@rollcall/core/contract'
import { migrateSqlite, openSqliteStorage } from '@rollcall/storage-sql/sqlite'
import { describe } from 'vitest'
import { STAFF_TABLE, StaffRepository } from '../src/staff-repository.ts'

const openOn = async (file: string, remove = () => {}): Promise<StorageUnderTest> => {
  const { unitOfWork, readers, transaction, close } = await openSqliteStorage({
    file,
    users: (sql) => new StaffRepository(sql),
  })
  await transaction((sql) => sql.run(STAFF_TABLE))
  return {
    unitOfWork,
    readers,
    openAnother: () => openOn(file),
    dispose: async () => {
      await close()
      remove()
    },
  }
}

const open = async (): Promise<StorageUnderTest> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'staff-contract-'))
  const file = path.join(folder, 'rollcall.db')
  await migrateSqlite(file)
  return openOn(file, () => rmSync(folder, { recursive: true, force: true }))
}

// The promises that Rollcall makes of users, kept by our table: the same suites that its own tables pass.
describe('the staff table', () => {
  userStoreContract(open)
  userListContract(open)
  unitOfWorkContract(open)
  lastAdministratorContract(open)
  suspensionContract(open)
  userGuardsContract(async (settings) => libraryUsers(await open(), settings), { rounds: 20 })
})
