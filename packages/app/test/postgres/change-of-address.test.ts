import { it } from 'vitest'
import { followEveryLink } from '../change-of-address.ts'
import { Database } from './database.ts'

it('leaves to the new address what it had before, on PostgreSQL', async () => {
  await using database = await Database.make()
  await followEveryLink({ DATABASE_URL: database.url })
})
