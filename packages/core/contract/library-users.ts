import { expect, it } from 'vitest'
import { MemoryClock } from '../memory/memory-environment.ts'
import { MEMORY_SETTINGS, memoryPorts } from '../memory/memory-service.ts'
import {
  type Caller,
  createUseCases,
  DomainError,
  LastAdministrator,
  type Settings,
  type UseCases,
} from '../src/index.ts'
import { aUser, outcomesOf, upTo } from './samples.ts'
import { type StorageUnderTest, storageSuite } from './storage-under-test.ts'
import type { Outcome, UserDriver, UsersUnderTest } from './user-guards.ts'
import { OPERATOR } from './whole-service.ts'

/** The use cases over the storage under test; whatever is not storage is in memory. */
export const serviceOver = (
  { unitOfWork, readers, userChanges }: Pick<StorageUnderTest, 'unitOfWork' | 'readers' | 'userChanges'>,
  settings: Partial<Settings> = {},
): UseCases =>
  createUseCases(
    { ...memoryPorts(new MemoryClock(Date.now())), unitOfWork, readers, userChanges },
    { ...MEMORY_SETTINGS, ...settings },
  )

/** Users over a storage, reached as a host service would: by the use cases themselves. */
export const libraryUsers = async (storage: StorageUnderTest, settings: Partial<Settings>): Promise<UsersUnderTest> => {
  const here = serviceOver(storage, settings)
  const handles: StorageUnderTest[] = [storage]
  const services = [here]
  return {
    driver: libraryDriver(here),
    another: async () => {
      const handle = await storage.openAnother?.()
      if (handle === undefined) return libraryDriver(here)
      const there = serviceOver(handle, settings)
      handles.unshift(handle)
      services.push(there)
      return libraryDriver(there)
    },
    audit: async () => {
      for (const { refusals } of services) await refusals.flush()
      await here.sealer.seal()
      return (await storage.readers.audit.list({ after: 0, limit: 1_000 })).items
    },
    dispose: async () => {
      for (const handle of handles) await handle.dispose()
    },
  }
}

const libraryDriver = ({
  putUser,
  patchUser,
  deleteUser,
  restoreUser,
  suspendUser,
  resumeUser,
}: UseCases): UserDriver => {
  const drop = (userId: string, as?: string) => outcomeOf(deleteUser.execute({ userId }, callerOf(as)))
  return {
    put: (userId, roles) =>
      outcomeOf(putUser.execute({ userId, email: `${userId}.mail@example.com`, name: '', roles }, OPERATOR)),
    delete: drop,
    deleteMany: (ids) => Promise.all(ids.map((id) => drop(id))),
    restore: (userId) => outcomeOf(restoreUser.execute({ userId }, OPERATOR)),
    patch: (userId, roles) => outcomeOf(patchUser.execute({ userId, roles }, OPERATOR)),
    suspend: (userId) => outcomeOf(suspendUser.execute({ userId }, OPERATOR)),
    resume: (userId) => outcomeOf(resumeUser.execute({ userId }, OPERATOR)),
  }
}

const callerOf = (id: string | undefined): Caller =>
  id === undefined ? OPERATOR : { id, roles: ['admin'], roleSource: 'stored', channel: 'library' }

const outcomeOf = async (work: Promise<unknown>): Promise<Outcome> => {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof DomainError) return error.name
    throw error
  }
}

export const lastAdministratorContract = storageSuite('a storage that keeps the last administrator', (storage) => {
  const { runEach, stores, another } = storage
  const administrators = (...ids: string[]) =>
    runEach(ids, ({ users }, id) => users.put(aUser(id, { roles: ['admin'] })))
  const twoServices = async () => [serviceOver(storage), serviceOver(await another())] as const
  /** All but one of them are carried out. */
  const expectOneRefusal = async (commands: readonly Promise<unknown>[]) => {
    const { values, errors } = await outcomesOf(commands)
    expect(values).toHaveLength(commands.length - 1)
    expect(errors).toEqual([expect.any(LastAdministrator)])
    expect(await stores.users.countWithRole('admin')).toBe(1)
  }

  it('lets exactly one win of a deletion and a demotion at the same time', async () => {
    await administrators('a', 'b')
    const [here, there] = await twoServices()
    await expectOneRefusal([
      here.deleteUser.execute({ userId: 'a' }, OPERATOR),
      there.putUser.execute({ userId: 'b', email: 'b@example.com', name: '', roles: [] }, OPERATOR),
    ])
  })

  it('lets all but one of many simultaneous deletions of all administrators win', async () => {
    const ids = upTo(20).map((n) => `u${n}`)
    await administrators(...ids)
    const [here, there] = await twoServices()
    await expectOneRefusal(ids.map((userId, n) => (n % 2 ? here : there).deleteUser.execute({ userId }, OPERATOR)))
  })
})
