import path from 'node:path'
import { expect, it } from 'vitest'
import { Home } from '../running-service.ts'
import { Database } from './database.ts'

it('refuses to move with another secret than that of the data', async () => {
  await using home = await Home.make()
  await using database = await Database.make()
  await home.run('migrate')
  await home.token('ada', 'admin')
  const sqlite = `sqlite:${path.join(home.folder, 'data/rollcall.db')}`
  const order = ['migrate-data', '--from', sqlite, '--to', database.url]
  const another = { SECRET: 'another secret, which is long enough to be one' }
  expect(await home.runWith(another, ...order)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('is not the one'),
  })
  expect(await home.run('migrate-data', '--from', 'mysql://x', '--to', database.url)).toMatchObject({ code: 2 })
})
