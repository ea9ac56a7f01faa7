import { createUseCases, operator, SuspensionNotKept, type User, type UserRepository } from '@rollcall/core'
import { openMemoryService } from '@rollcall/core/memory'
import { expect, it } from 'vitest'
import { openSqliteStorage } from '../src/sqlite/index.ts'
import { newDatabase } from './temporary-storage.ts'

const OPERATOR = operator('test')

/** Users of a host that does not know of suspensions: it neither keeps what they need nor filters by them. */
const forgetfulUsers = (forgotten: readonly (keyof User)[]): UserRepository => {
  const users = new Map<string, User>()
  const withRole = (role: string | undefined) =>
    [...users.values()].filter(({ roles }) => role === undefined || roles.includes(role))
  return {
    find: async (id) => users.get(id),
    list: async ({ role }) => ({ items: withRole(role), next: undefined }),
    countWithRole: async (role) => withRole(role).length,
    put: async (user) => {
      const kept = Object.entries(user).filter(([name]) => !forgotten.includes(name as keyof User))
      users.set(user.id, Object.fromEntries(kept) as unknown as User)
    },
    erase: async (id) => void users.delete(id),
  }
}

it.each([['suspendedAt'], ['tokensNotBefore']] as const)(
  'refuses to suspend users of a host that forgets %s',
  async (name) => {
    const repository = forgetfulUsers([name])
    const { unitOfWork, readers, close } = await openSqliteStorage({
      file: await newDatabase(),
      users: () => repository,
    })
    const { ports } = openMemoryService()
    const { putUser, suspendUser } = createUseCases(
      { ...ports, unitOfWork, readers },
      { publicUrl: 'https://x.example', linkLife: 1_000 },
    )
    try {
      await putUser.execute({ userId: 'ada', email: 'a@example.com', name: '', roles: [] }, OPERATOR)
      await expect(suspendUser.execute({ userId: 'ada' }, OPERATOR)).rejects.toBeInstanceOf(SuspensionNotKept)
    } finally {
      await close()
    }
  },
)

it('refuses to suspend users of a host that does not keep suspensions, and does everything else', async () => {
  const repository = forgetfulUsers(['suspendedAt', 'tokensNotBefore'])
  const { unitOfWork, readers, close } = await openSqliteStorage({ file: await newDatabase(), users: () => repository })
  const { ports } = openMemoryService()
  const settings = { publicUrl: 'https://x.example', linkLife: 1_000 }
  const useCases = createUseCases({ ...ports, unitOfWork, readers }, settings)
  try {
    const { putUser, suspendUser, resumeUser, patchUser, listUsers, deleteUser } = useCases
    for (const userId of ['ada', 'bob']) {
      const command = { userId, email: `${userId}.mail@example.com`, name: '', roles: ['admin'] }
      await putUser.execute(command, OPERATOR)
    }
    await expect(suspendUser.execute({ userId: 'ada' }, OPERATOR)).rejects.toBeInstanceOf(SuspensionNotKept)
    expect((await resumeUser.execute({ userId: 'ada' }, OPERATOR)).id).toBe('ada')
    const { items } = await useCases.readers.audit.list({ after: 0, limit: 10 })
    expect(items.map(({ action }) => action)).toEqual(['user.put', 'user.put'])
    expect((await listUsers.execute({ suspended: true }, OPERATOR)).items).toEqual([])
    expect((await listUsers.execute({ suspended: false }, OPERATOR)).items).toHaveLength(2)
    expect((await patchUser.execute({ userId: 'ada', name: 'Ada' }, OPERATOR)).name).toBe('Ada')
    expect(await readers.users.accountStatus('ada')).toEqual({ roles: ['admin'] })
    await deleteUser.execute({ userId: 'ada' }, OPERATOR)
    await expect(deleteUser.execute({ userId: 'bob' }, OPERATOR)).rejects.toThrow('last administrator')
  } finally {
    await close()
  }
})
