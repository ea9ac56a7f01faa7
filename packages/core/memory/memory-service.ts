import { createUseCases, type Settings, type UseCases } from '../src/index.ts'
import { MemoryAccessTokens } from './memory-access-tokens.ts'
import { memoryDigests } from './memory-digests.ts'
import { MemoryBell, MemoryClock, MemoryRandomness, memoryDomainNames } from './memory-environment.ts'
import { MemoryMailTransport } from './memory-mail-transport.ts'
import { memoryRecordFormats } from './memory-record-formats.ts'
import { openMemoryStorage } from './memory-storage.ts'

/** The whole service in memory, with everything in reach that a test may want to turn or look at. */
export const openMemoryService = (settings: Partial<Settings> = {}) => {
  const clock = new MemoryClock()
  const storage = openMemoryStorage(clock)
  const transport = new MemoryMailTransport()
  const tokens = new MemoryAccessTokens(clock)
  const bell = new MemoryBell()
  const ports = {
    ...storage,
    clock,
    randomness: new MemoryRandomness(),
    digests: memoryDigests('a secret for tests'),
    domainNames: memoryDomainNames({ 'bücher.example': 'xn--bcher-kva.example' }),
    bell,
    transport,
    verifier: tokens,
    issuer: tokens,
    keyRing: tokens,
    formats: memoryRecordFormats,
  }
  const useCases: UseCases = createUseCases(ports, {
    publicUrl: 'https://rollcall.example',
    linkLife: 7 * 24 * 3600 * 1000,
    ...settings,
  })
  return { useCases, ports, storage, clock, transport, tokens, bell }
}
