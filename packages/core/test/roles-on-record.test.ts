import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import {
  type AuditAction,
  AuditTrail,
  type User,
  type UserId,
  type UserReader,
  VerifyAuditUseCase,
} from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, putUser, type Service } from './cast.ts'

const broken = async ({ useCases }: Service) => (await useCases.verifyAudit.execute({}, AUDITOR)).broken
const aUser = (id: string, roles: readonly string[] = []): User => ({
  id: id as UserId,
  email: `${id}@mail.example`,
  emailKey: `${id}@mail.example`,
  name: '',
  roles,
  createdAt: 1,
  updatedAt: 1,
})
/** What SQL can do, past the service. */
const store = ({ storage }: Service, user: User) => storage.unitOfWork.run(({ users }) => users.put(user))
const erase = ({ storage }: Service, id: string) => storage.unitOfWork.run(({ users }) => users.erase(id as UserId))
/** A record without a hash of roles. */
const record = ({ storage, clock, ports }: Service, action: AuditAction, target?: string) =>
  storage.unitOfWork.run(({ audit }) => new AuditTrail(clock, ports.digests).done(audit, ADMIN, { action, target }))

describe('the roles of users in the trail', () => {
  it('are those of the users, however they are put, deleted and restored', async () => {
    const at = openMemoryService({ deleteGrace: 60_000 })
    await putUser(at, 'root', ['admin'])
    await putUser(at, 'eve', ['admin', 'auditor'])
    await putUser(at, 'eve', ['auditor'])
    expect(await broken(at)).toBeUndefined()
    await at.useCases.deleteUser.execute({ userId: 'eve' }, ADMIN)
    expect(await broken(at)).toBeUndefined()
    await at.useCases.restoreUser.execute({ userId: 'eve' }, ADMIN)
    expect(await broken(at)).toBeUndefined()
    expect(new Set((await auditOf(at)).map(({ rolesHash }) => rolesHash)).size).toBe(4)
  })

  it('show a role that was given or taken, and a user who was made or removed, past the service', async () => {
    const at = openMemoryService()
    await putUser(at, 'eve', ['auditor'])
    await putUser(at, 'bob')
    await store(at, aUser('bob', ['admin']))
    expect(await broken(at)).toEqual({ sequence: 2, fault: 'roles', user: 'bob' })
    await store(at, aUser('bob'))
    await store(at, aUser('eve'))
    expect(await broken(at)).toEqual({ sequence: 1, fault: 'roles', user: 'eve' })
    await store(at, aUser('eve', ['auditor']))
    expect(await broken(at)).toBeUndefined()
    await store(at, aUser('mallory', ['admin']))
    expect(await broken(at)).toEqual({ sequence: 0, fault: 'roles', user: 'mallory' })
    await erase(at, 'mallory')
    await erase(at, 'bob')
    expect(await broken(at)).toEqual({ sequence: 2, fault: 'roles', user: 'bob' })
  })

  it('are not taken from a record that somebody added, who has no key to make its hash with', async () => {
    const at = openMemoryService()
    await store(at, aUser('mallory', ['admin']))
    await record(at, 'user.put', 'mallory')
    expect(await broken(at)).toEqual({ sequence: 1, fault: 'roles', user: 'mallory' })
  })

  it('are put there anew when a backup was restored, of everybody', async () => {
    const at = openMemoryService()
    await putUser(at, 'ada', ['admin'])
    await putUser(at, 'bob', ['admin'])
    await store(at, aUser('bob'))
    await record(at, 'database.restore')
    expect(await broken(at)).toMatchObject({ fault: 'roles', user: 'ada' })
    expect(await at.useCases.recordUsers.execute()).toBe(2)
    expect(await broken(at)).toBeUndefined()
    await store(at, aUser('bob', ['admin']))
    expect(await broken(at)).toEqual({ sequence: 5, fault: 'roles', user: 'bob' })
    // To put them there again does not make it true.
    await at.useCases.recordUsers.execute()
    expect(await broken(at)).toEqual({ sequence: 7, fault: 'roles', user: 'bob' })
  })

  it.each<[how: string, { again?: number; unsealed?: number; sealedMeanwhile?: boolean }]>([
    ['once', {}],
    ['again and again', { again: 3 }],
    ['behind any number of records that are not sealed', { unsealed: 450 }],
    ['and be sealed between two reads', { sealedMeanwhile: true }],
  ])('may change while the trail is verified: %s', async (_, { again = 0, unsealed = 0, sealedMeanwhile = false }) => {
    const at = openMemoryService()
    await putUser(at, 'ada')
    await at.useCases.sealAudit.execute()
    for (let n = 0; n < unsealed; n++) await record(at, 'feed.put', `f${n}`)
    // Those that do not have it sealed first.
    const { readers } = at.ports
    let changes = 0
    const change = () => putUser(at, 'ada', changes++ % 2 === 0 ? ['auditor'] : [])
    const { list, find, accountStatus, countWithRole } = readers.users
    const users: UserReader = {
      ...{ accountStatus, countWithRole },
      list: async (filter) => {
        if (changes === 0) await change()
        return await list(filter)
      },
      // What was found is not true any more.
      find: async (id) => {
        const found = await find(id)
        if (changes <= again) await change()
        return found
      },
    }
    const audit: typeof readers.audit = {
      ...readers.audit,
      unsealed: async (stretch) => {
        if (sealedMeanwhile) await at.useCases.sealAudit.execute()
        return await readers.audit.unsealed(stretch)
      },
    }
    const { access } = at.useCases
    const verifyAudit = new VerifyAuditUseCase({ ...at.ports, access, readers: { ...readers, users, audit } })
    expect((await verifyAudit.execute({}, AUDITOR)).broken).toBeUndefined()
    expect(changes).toBe(again + 1)
  })

  it('may be those of a user who comes and goes while the trail is verified', async () => {
    const at = openMemoryService()
    await putUser(at, 'ada')
    await at.useCases.sealAudit.execute()
    const { readers } = at.ports
    const { list, find, accountStatus, countWithRole } = readers.users
    const users: UserReader = {
      ...{ accountStatus, countWithRole },
      list: async (filter) => {
        await putUser(at, 'eve')
        return await list(filter)
      },
      find: async (id) => {
        const found = await find(id)
        if (found?.id === 'eve') await at.useCases.deleteUser.execute({ userId: 'eve' }, ADMIN)
        return found
      },
    }
    const verifyAudit = new VerifyAuditUseCase({
      ...at.ports,
      access: at.useCases.access,
      readers: { ...readers, users },
    })
    expect((await verifyAudit.execute({}, AUDITOR)).broken).toBeUndefined()
    expect(await find('eve' as UserId)).toBeUndefined()
  })

  it('are not compared where a host keeps its users itself', async () => {
    const at = openMemoryService()
    await putUser(at, 'ada')
    Object.assign(at.storage.readers.users, { keptByHost: true })
    await store(at, aUser('ada', ['admin']))
    expect(await broken(at)).toBeUndefined()
    expect(await at.useCases.recordUsers.execute()).toBe(0)
  })
})
