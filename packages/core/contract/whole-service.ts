import { MemoryClock, MemoryRandomness } from '../memory/memory-environment.ts'
import { MEMORY_SETTINGS, memoryPorts } from '../memory/memory-service.ts'
import { createUseCases, DAY, type Mail, operator } from '../src/index.ts'
import type { StorageUnderTest } from './storage-under-test.ts'

/** Who every command of a suite is carried out for. */
export const OPERATOR = operator('contract')

export const SOURCE = { via: 'form', clientAddress: '192.0.2.0/24', userAgent: 'curl/8' }

export const tokenIn = (mail: Mail | undefined, link: keyof Mail['links']): string =>
  mail?.links[link]?.split('/').at(-1) ?? ''

/** What a service needs of a storage. */
export type Served = Pick<StorageUnderTest, 'unitOfWork' | 'readers'>

/**
 * The whole service over the storage under test; the rest is in memory. Its clock stands two months behind, as leases
 * go by the storage's. Another seed makes another owner of leases.
 */
export const wholeServiceOver = ({ unitOfWork, readers }: Served, seed = 1) => {
  const ports = { ...memoryPorts(new MemoryClock(Date.now() - 60 * DAY)), randomness: new MemoryRandomness(seed) }
  const useCases = createUseCases({ ...ports, unitOfWork, readers }, MEMORY_SETTINGS)
  /** Sends what is due, and gives the last mail of all. */
  const deliver = async (): Promise<Mail | undefined> => {
    await useCases.deliverOutbox.execute({ limit: 100 })
    return ports.transport.mails.at(-1)
  }
  return { ...ports, useCases, deliver }
}
