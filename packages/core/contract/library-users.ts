import { type Caller, DomainError, type Readers, type Settings, type UnitOfWork, type UseCases } from '../src/index.ts'
import { OPERATOR, serviceOver } from './service-over.ts'
import type { Outcome, UserDriver, UsersUnderTest } from './user-guards.ts'

interface Storage {
  readonly unitOfWork: UnitOfWork
  readonly readers: Readers
  openAnother?(): Promise<Storage>
  dispose(): Promise<void>
}

/** Users over a storage, reached as a host service would: by the use cases themselves. */
export const libraryUsers = async (storage: Storage, settings: Partial<Settings>): Promise<UsersUnderTest> => {
  const here = serviceOver(storage, settings)
  const handles: Storage[] = [storage]
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
      return (await storage.readers.audit.list({ after: 0, limit: 1_000 })).items
    },
    dispose: async () => {
      for (const handle of handles) await handle.dispose()
    },
  }
}

const libraryDriver = ({ putUser, deleteUser, restoreUser }: UseCases): UserDriver => {
  const drop = (userId: string, as?: string) => outcomeOf(deleteUser.execute({ userId }, callerOf(as)))
  return {
    put: (userId, roles) =>
      outcomeOf(putUser.execute({ userId, email: `${userId}.mail@example.com`, name: '', roles }, OPERATOR)),
    delete: drop,
    deleteMany: (ids) => Promise.all(ids.map((id) => drop(id))),
    restore: (userId) => outcomeOf(restoreUser.execute({ userId }, OPERATOR)),
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
