import { describe } from 'vitest'
import { type StorageUnderTest, storageContract } from '../contract/index.ts'
import { openMemoryStorage } from './memory-storage.ts'

describe('in memory', () => {
  storageContract(async (): Promise<StorageUnderTest> => {
    const { unitOfWork, readers, close } = openMemoryStorage({ now: () => Date.now() })
    return { unitOfWork, readers, dispose: close }
  })
})
