import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/memory-service.ts'
import {
  type AuthorizationPolicy,
  createUseCases,
  DeleteUserUseCase,
  InsufficientPermissions,
  type PermissionQuestion,
  TablePolicy,
} from '../src/index.ts'
import { ADMIN, auditOf, caller, putUser } from './cast.ts'

/** "People may delete themselves", "leads delete in their department", and otherwise the table. */
const open = () => {
  const asked: PermissionQuestion[] = []
  const departments = new Map([
    ['ada', 'research'],
    ['bob', 'research'],
    ['eve', 'sales'],
  ])
  const table = new TablePolicy()
  const policy: AuthorizationPolicy = {
    decide: async (question) => {
      asked.push(question)
      const { caller: who, permission, target = '' } = question
      if (permission !== 'users:delete') return table.decide(question)
      if (who.id === target) return { allowed: true }
      const department = await Promise.resolve(departments.get(target))
      if (department !== undefined && who.roles.includes(`lead:${department}`)) return { allowed: true }
      return { allowed: false, because: 'Deleting others takes the lead of their department.' }
    },
  }
  const at = openMemoryService()
  const settings = { publicUrl: 'https://rollcall.example', linkLife: 1_000 }
  const useCases = createUseCases({ ...at.ports, unitOfWork: at.storage.unitOfWork, policy }, settings)
  return { at: { ...at, useCases }, useCases, asked }
}

const lead = caller('lena', 'lead:research')

describe('a policy of the host', () => {
  it('that is a table says what roles there are', async () => {
    const at = openMemoryService()
    const policy = new TablePolicy({ 'users:delete': { roles: ['admin', 'lead'], doing: 'Deleting users' } })
    const settings = { publicUrl: 'https://rollcall.example', linkLife: 1_000 }
    const useCases = createUseCases({ ...at.ports, unitOfWork: at.storage.unitOfWork, policy }, settings)
    for (const [id, roles] of [
      ['lena', ['lead']],
      ['bob', []],
    ] as const)
      await useCases.putUser.execute({ userId: id, email: `${id}@example.com`, name: '', roles }, ADMIN)
    await useCases.deleteUser.execute({ userId: 'bob' }, caller('lena', 'lead'))
  })

  it('may refuse some of many users, and what became of the others is told', async () => {
    const { at, useCases } = open()
    for (const id of ['bob', 'eve']) await putUser(at, id)
    const rows = [{ id: 'eve' }, { id: 'bob' }]
    const reason = 'not even whether eve.mail@example.com is the address'
    const changed = await useCases.changeUsers.execute({ change: 'delete', rows, reason }, lead)
    expect(changed.map(({ outcome, refusal }) => refusal?.name ?? outcome)).toEqual([
      'InsufficientPermissions',
      'changed',
    ])
  })

  it('decides by caller, permission and target, with a reason of its own', async () => {
    const { at, useCases, asked } = open()
    for (const id of ['ada', 'bob', 'eve']) await putUser(at, id)
    asked.length = 0
    const drop = (userId: string, who = lead) => useCases.deleteUser.execute({ userId }, who)
    await drop('ada', caller('ada'))
    await drop('bob')
    const refusal = await drop('eve').catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(InsufficientPermissions)
    expect((refusal as Error).message).toBe('Deleting others takes the lead of their department.')
    await expect(drop('missing')).rejects.toBeInstanceOf(InsufficientPermissions)
    await useCases.refusals.flush()
    const refused = (await auditOf(at)).filter(({ outcome }) => outcome === 'InsufficientPermissions')
    expect(refused.map(({ target }) => target)).toEqual(['eve', 'missing'])
    expect(asked.map(({ caller: { id }, permission, target }) => [id, permission, target])).toEqual([
      ['ada', 'users:delete', 'ada'],
      ['lena', 'users:delete', 'bob'],
      ['lena', 'users:delete', 'eve'],
      ['lena', 'users:delete', 'missing'],
    ])
  })

  it('is asked once by an adapter that must refuse before it reads a body, and by the use case that follows', async () => {
    const { at, useCases, asked } = open()
    for (const id of ['ada', 'bob']) await putUser(at, id)
    asked.length = 0
    const { access, deleteUser } = useCases
    await access.requireFirst(lead, DeleteUserUseCase, 'ada')
    await deleteUser.execute({ userId: 'ada' }, lead)
    expect(asked.map(({ target }) => target)).toEqual(['ada'])
    // Not for anything else, nor for anybody else, nor for longer.
    await access.requireFirst(lead, DeleteUserUseCase, 'bob')
    await expect(deleteUser.execute({ userId: 'eve' }, lead)).rejects.toBeInstanceOf(InsufficientPermissions)
    await access.requireFirst(lead, DeleteUserUseCase, 'bob')
    await expect(deleteUser.execute({ userId: 'bob' }, caller('eve'))).rejects.toBeInstanceOf(InsufficientPermissions)
    await deleteUser.execute({ userId: 'bob' }, lead)
    await deleteUser.execute({ userId: 'bob' }, lead).catch(() => undefined)
    expect(asked.map(({ target }) => target)).toEqual(['ada', 'bob', 'eve', 'bob', 'bob', 'bob'])
  })

  it('has no target where nothing is named, and leaves the rest to the table', async () => {
    const { useCases, asked } = open()
    await useCases.listUsers.execute({}, ADMIN)
    await expect(useCases.listUsers.execute({}, lead)).rejects.toThrow(
      "Reading users requires the 'admin' or 'auditor' role.",
    )
    expect(asked.map(({ permission, target }) => [permission, target])).toEqual([
      ['users:read', undefined],
      ['users:read', undefined],
    ])
  })

  it('refuses nothing silently if it fails itself', async () => {
    const at = openMemoryService()
    const policy = { decide: () => Promise.reject(new RangeError('no directory')) }
    const useCases = createUseCases(
      { ...at.ports, unitOfWork: at.storage.unitOfWork, policy },
      { publicUrl: 'https://x.example', linkLife: 1 },
    )
    await expect(useCases.listUsers.execute({}, ADMIN)).rejects.toThrow('no directory')
  })
})
