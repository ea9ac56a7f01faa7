import type { Clock, MailTransport, Readers, UseCases, WebhookTransport } from '@rollcall/core'
import type { RateLimiter } from '@rollcall/http-koa'
import type { Watch } from './access-tokens.ts'
import type { Config } from './config.ts'
import { compose } from './container.ts'
import type { Log } from './log.ts'
import type { ServiceMetrics } from './metrics/service-metrics.ts'
import type { SteadyClock } from './platform/steady-clock.ts'
import { requireSameKeys } from './same-keys.ts'
import { requireSameSecret } from './same-secret.ts'
import type { Storage } from './storage.ts'
import { type Resolver, TOKENS } from './tokens.ts'
import type { Bell } from './workers/bell.ts'

/** What the service and the command line need of the container; nothing else asks it for anything. */
export interface Composition {
  readonly config: Config
  readonly log: Log
  readonly useCases: UseCases
  readonly storage: Storage
  readonly readers: Readers
  readonly clock: Clock
  readonly steadyClock: SteadyClock
  readonly transport: MailTransport
  readonly webhookTransport: WebhookTransport
  readonly bell: Bell
  readonly metrics: ServiceMetrics
  /** Where clients may ask only so often. */
  readonly rateLimiter: RateLimiter | undefined
  readonly jwks: () => object
  readonly keyWatch: Watch
  /** Closes what was opened, in order: mail and webhooks, then storage. */
  close(): Promise<void>
}

export const openComposition = (config: Config, log: Log, courtesy = 0): Promise<Composition> =>
  compositionIn(compose(config, log, courtesy))

/** What a container makes of its bindings, those of a host service included. */
export const compositionIn = async (container: Resolver): Promise<Composition> => {
  const config = await container.getAsync(TOKENS.config)
  const storage = await container.getAsync(TOKENS.storage)
  try {
    await requireSameSecret(config, storage)
    // What a setting may be wrong for comes first, one by one: nothing is still being made once this has thrown.
    const transport = await container.getAsync(TOKENS.transport)
    const webhookTransport = await container.getAsync(TOKENS.webhookTransport)
    const verifier = await container.getAsync(TOKENS.verifier)
    await requireSameKeys(storage, verifier.jwks())
    const useCases = await container.getAsync(TOKENS.useCases)
    return {
      config,
      log: await container.getAsync(TOKENS.log),
      useCases,
      storage,
      readers: await container.getAsync(TOKENS.readers),
      clock: await container.getAsync(TOKENS.clock),
      steadyClock: await container.getAsync(TOKENS.steadyClock),
      transport,
      webhookTransport,
      bell: await container.getAsync(TOKENS.bell),
      metrics: await container.getAsync(TOKENS.metrics),
      rateLimiter: await container.getAsync(TOKENS.rateLimiter),
      jwks: () => verifier.jwks(),
      keyWatch: await container.getAsync(TOKENS.keyWatch),
      close: async () => {
        await transport.close()
        await webhookTransport.close()
        await storage.close()
      },
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}
