import { describe } from 'vitest'
import { libraryUsers, userGuardsContract } from '../contract/index.ts'
import { openMemoryStorage } from './memory-storage.ts'

describe('users by the library, in memory', () => {
  userGuardsContract(
    (settings) =>
      libraryUsers({ ...openMemoryStorage({ now: () => Date.now() }), dispose: async () => undefined }, settings),
    {
      rounds: 1_000,
    },
  )
})
