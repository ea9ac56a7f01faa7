import { createUseCases, DAY } from '@rollcall/core'
import { MemoryClock, openMemoryService } from '@rollcall/core/memory'
import { openSqliteStorage } from '../src/sqlite/index.ts'

export const SOURCE = { via: 'link', clientAddress: undefined, userAgent: undefined }
export const ADMIN = { id: 'root', roles: ['admin'], roleSource: 'token', channel: 'http' } as const

type Storage = Pick<Awaited<ReturnType<typeof openSqliteStorage>>, 'unitOfWork' | 'readers'>

/** The service on this storage; only the storage outlives it. */
export const serviceOn = ({ unitOfWork, readers }: Storage, at: number) => {
  const memory = openMemoryService()
  const clock = new MemoryClock(at)
  const useCases = createUseCases(
    { ...memory.ports, unitOfWork, readers, clock },
    { publicUrl: 'https://rollcall.example', linkLife: 7 * DAY },
  )
  /** The token of the last link of this purpose. */
  const token = async (purpose: 'confirm' | 'preferences' | 'move' | 'undo' | 'unsubscribe') => {
    await useCases.deliverOutbox.execute({ limit: 100 })
    const link = memory.transport.mails.findLast(({ links }) => links[purpose] !== undefined)?.links[purpose] ?? ''
    return link.slice(link.lastIndexOf('/') + 1)
  }
  return { useCases, clock, token, mails: () => memory.transport.mails }
}

export type Service = ReturnType<typeof serviceOn>

/** Does some work with it, and closes it. */
export const onFile = async <T>(file: string, at: number, work: (service: Service) => Promise<T>): Promise<T> => {
  const storage = await openSqliteStorage({ file })
  try {
    return await work(serviceOn(storage, at))
  } finally {
    await storage.close()
  }
}
