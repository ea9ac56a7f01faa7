import { expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { operator } from '../src/index.ts'

const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
const fieldsOf = async (outcome: Promise<unknown>): Promise<unknown> =>
  await outcome.then(
    () => 'no refusal',
    ({ details }) => details.map(({ field }: { field: string }) => field),
  )

it('names every field of a sign-up that is wrong, not only the first', async () => {
  const { useCases } = openMemoryService()
  const command = { email: 'nobody', name: 'a\u0000b', source }
  expect(await fieldsOf(useCases.subscribe.execute(command))).toEqual(['email', 'name'])
})

it('names every field of a user, and of a feed, that is wrong', async () => {
  const { useCases } = openMemoryService()
  const user = { userId: '1', email: 'nobody', name: '\u0007', roles: ['king'] }
  expect(await fieldsOf(useCases.putUser.execute(user, operator('root')))).toEqual(['email', 'name', 'roles'])
  const feed = { name: 'weekly', title: '\u0007', description: '\u0007', language: '!' }
  expect(await fieldsOf(useCases.putFeed.execute(feed, operator('root')))).toEqual(['title', 'description', 'language'])
})
