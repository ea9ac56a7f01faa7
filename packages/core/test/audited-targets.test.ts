import { expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { operator } from '../src/index.ts'

it('keeps no address that a refused caller put where an id belongs', async () => {
  const { useCases } = openMemoryService()
  const NO_ROLES = { id: 'nobody', roles: [], roleSource: 'token', channel: 'http' } as const
  const target = 'ada.lovelace@person.test'
  await expect(useCases.deleteUser.execute({ userId: target }, NO_ROLES)).rejects.toThrow()
  await expect(useCases.getUser.execute({ userId: target }, NO_ROLES)).rejects.toThrow()
  await useCases.refusals.flush()
  const { items } = await useCases.listAudit.execute({}, operator('root'))
  expect(items.map((record) => record.target)).toEqual(['<address>', '<address>'])
})
