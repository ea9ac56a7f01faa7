import { createUseCases, type FunnelMetrics, type Settings, type UseCases } from '../src/index.ts'
import { MemoryAccessTokens } from './memory-access-tokens.ts'
import { memoryChallenges } from './memory-challenges.ts'
import { memoryDigests } from './memory-digests.ts'
import { MemoryClock, MemoryRandomness, MemorySignal, memoryDomainNames } from './memory-environment.ts'
import { MemoryMailTransport } from './memory-mail-transport.ts'
import { memoryRecordFormats } from './memory-record-formats.ts'
import { openMemoryStorage } from './memory-storage.ts'
import { MemoryWebhookTransport } from './memory-webhook-transport.ts'

export interface MemoryServiceSettings extends Partial<Settings> {
  /** Whether a challenge is asked for; see `solveMemoryChallenge`. */
  readonly challenge?: boolean
  readonly metrics?: FunnelMetrics
}

/** The whole service in memory, with everything in reach that a test may want to turn or look at. */
export const openMemoryService = ({ challenge = false, metrics, ...settings }: MemoryServiceSettings = {}) => {
  const clock = new MemoryClock()
  const storage = openMemoryStorage(clock)
  const transport = new MemoryMailTransport()
  const webhookTransport = new MemoryWebhookTransport()
  const tokens = new MemoryAccessTokens(clock)
  const outboxSignal = new MemorySignal()
  const world = { clock, randomness: new MemoryRandomness(), digests: memoryDigests('a secret for tests') }
  const ports = {
    ...storage,
    ...world,
    domainNames: memoryDomainNames({ 'bücher.example': 'xn--bcher-kva.example' }),
    outboxSignal,
    transport,
    webhookTransport,
    verifier: tokens,
    issuer: tokens,
    keyRing: tokens,
    formats: memoryRecordFormats,
    challenge: challenge ? memoryChallenges(world) : undefined,
    metrics,
  }
  const useCases: UseCases = createUseCases(ports, {
    publicUrl: 'https://rollcall.example',
    linkLife: 7 * 24 * 3600 * 1000,
    ...settings,
  })
  return { useCases, ports, storage, clock, transport, webhookTransport, tokens, outboxSignal }
}
