import { MemoryAccessTokens } from '../memory/memory-access-tokens.ts'
import { memoryDigests } from '../memory/memory-digests.ts'
import { MemoryClock, MemoryRandomness, MemorySignal, memoryDomainNames } from '../memory/memory-environment.ts'
import { MemoryMailTransport } from '../memory/memory-mail-transport.ts'
import { memoryRecordFormats } from '../memory/memory-record-formats.ts'
import { MemoryWebhookTransport } from '../memory/memory-webhook-transport.ts'
import { createUseCases, operator, type Readers, type Settings, type UnitOfWork, type UseCases } from '../src/index.ts'

/** Who every command of a suite is carried out for. */
export const OPERATOR = operator('contract')

/** The use cases over the storage under test; whatever is not storage is in memory. */
export const serviceOver = (
  { unitOfWork, readers }: { unitOfWork: UnitOfWork; readers: Readers },
  settings: Partial<Settings> = {},
): UseCases => {
  const clock = new MemoryClock(Date.now())
  const tokens = new MemoryAccessTokens(clock)
  return createUseCases(
    {
      unitOfWork,
      readers,
      clock,
      randomness: new MemoryRandomness(),
      digests: memoryDigests('contract'),
      domainNames: memoryDomainNames(),
      outboxSignal: new MemorySignal(),
      transport: new MemoryMailTransport(),
      webhookTransport: new MemoryWebhookTransport(),
      verifier: tokens,
      issuer: tokens,
      keyRing: tokens,
      formats: memoryRecordFormats,
    },
    { publicUrl: 'https://rollcall.example', linkLife: 7 * 24 * 3_600_000, ...settings },
  )
}
