// Puts one user and one tombstone in every unit, many at once, and says which units were answered.

import { Unavailable, type UserId } from '@rollcall/core'
import { openSqliteStorage } from '../../src/sqlite/index.ts'
import { aTombstone } from '../a-tombstone.ts'

const [, , file = '', prefix = ''] = process.argv
const { unitOfWork } = await openSqliteStorage({ file })
let n = 0

const write = async (): Promise<void> => {
  for (;;) {
    const id = `${prefix}${++n}` as UserId
    try {
      await unitOfWork.run(async ({ users, tombstones }) => {
        const admin = { name: '', roles: ['admin'], createdAt: n, updatedAt: n }
        await users.put({ id, email: `${id}@example.com`, emailKey: `${id}@example.com`, ...admin })
        await tombstones.put(id, aTombstone)
      })
      process.stdout.write(`${id}\n`)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      process.stdout.write(`unavailable ${(error.cause as Error | undefined)?.message}\n`)
      return
    }
  }
}
await Promise.all(Array.from({ length: 20 }, write))
// What is still on its way to a slow reader would be lost.
process.stdout.write('ended\n', () => process.exit(0))
