import path from 'node:path'
import type { UserId } from '@rollcall/core'
import { openSqliteStorage } from '@rollcall/storage-sql/sqlite'
import type { Home } from './running-service.ts'

const AT_ONCE = 200

/** Makes the database and puts so many users into it, straight away: `user-0` and so on. Gives their ids. */
export const seedUsers = async (home: Home, count: number): Promise<string[]> => {
  await home.run('migrate')
  const storage = await openSqliteStorage({ file: path.join(home.folder, 'data/rollcall.db') })
  const ids = Array.from({ length: count }, (_, number) => `user-${number}`)
  try {
    for (let at = 0; at < count; at += AT_ONCE)
      await Promise.all(
        ids.slice(at, at + AT_ONCE).map((id) => storage.unitOfWork.run((stores) => stores.users.put(user(id)))),
      )
  } finally {
    await storage.close()
  }
  return ids
}

const user = (id: string) => {
  const email = `${id}.mail@example.com`
  return { id: id as UserId, email, emailKey: email, name: `Name of ${id}`, roles: [], createdAt: 1, updatedAt: 1 }
}
