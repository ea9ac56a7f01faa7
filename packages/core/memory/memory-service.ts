import { createUseCases, type FunnelMetrics, type Ports, type Settings, type UseCases } from '../src/index.ts'
import { MemoryAccessTokens } from './memory-access-tokens.ts'
import { memoryChallenges } from './memory-challenges.ts'
import { memoryDigests } from './memory-digests.ts'
import { MemoryAnchor, MemoryClock, MemoryRandomness, memoryDomainNames } from './memory-environment.ts'
import { MemoryLinkKeys } from './memory-link-keys.ts'
import { openMemoryStorage } from './memory-storage.ts'
import { MemoryMailTransport, MemoryReportParser, MemoryWebhookTransport } from './memory-transports.ts'

export interface MemoryServiceSettings extends Partial<Settings> {
  /** Whether a challenge is asked for; see `solveMemoryChallenge`. */
  readonly challenge?: boolean
  readonly metrics?: FunnelMetrics
  readonly feedbackVerifiers?: Ports['feedbackVerifiers']
}

export const MEMORY_SETTINGS: Settings = { publicUrl: 'https://rollcall.example', linkLife: 7 * 24 * 3_600_000 }

/** Every port but storage, in memory. */
export const memoryPorts = (clock: MemoryClock) => {
  const tokens = new MemoryAccessTokens(clock)
  return {
    clock,
    randomness: new MemoryRandomness(),
    digests: memoryDigests('a secret for tests'),
    linkKeys: new MemoryLinkKeys(),
    domainNames: memoryDomainNames({ 'bücher.example': 'xn--bcher-kva.example' }),
    auditAnchor: new MemoryAnchor(),
    transport: new MemoryMailTransport(),
    webhookTransport: new MemoryWebhookTransport(),
    verifier: tokens,
    issuer: tokens,
    keyRing: tokens,
    reportParser: new MemoryReportParser(),
  }
}

/** The whole service in memory, with everything in reach that a test may want to turn or look at. */
export const openMemoryService = ({
  challenge = false,
  metrics,
  feedbackVerifiers,
  ...settings
}: MemoryServiceSettings = {}) => {
  const clock = new MemoryClock()
  const opened = openMemoryStorage(clock)
  const world = memoryPorts(clock)
  const ports = {
    ...opened,
    ...world,
    metrics,
    feedbackVerifiers,
    challenge: challenge ? memoryChallenges(world) : undefined,
  }
  const useCases: UseCases = createUseCases(ports, { ...MEMORY_SETTINGS, ...settings })
  // What a test looks at is sealed, as it is for every use case that reads it.
  const storage = { ...opened, readers: useCases.readers }
  const { transport, webhookTransport, keyRing: tokens, auditAnchor: anchor, reportParser } = world
  return {
    useCases,
    ports: { ...ports, sealer: useCases.sealer },
    storage,
    clock,
    transport,
    webhookTransport,
    tokens,
    anchor,
    reportParser,
  }
}
