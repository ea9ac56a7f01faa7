import { requireSameKeys } from './access-tokens.ts'
import type { Config } from './config.ts'
import { compose } from './container.ts'
import type { Log } from './log.ts'
import { requireSameSecret } from './secret.ts'
import { requireSameSubjectClaim } from './subject-claim.ts'
import { type Resolved, type Resolver, resolve, TOKENS } from './tokens.ts'

const { config, storage, transport, webhookTransport, verifier } = TOKENS
const ADAPTERS = { transport, webhookTransport, verifier }
const NAMES = [
  'config',
  'log',
  'useCases',
  'storage',
  'readers',
  'clock',
  'jumpGuardedClock',
  'transport',
  'reportMailbox',
  'webhookTransport',
  'metrics',
  'rateLimiter',
  'networkLimiter',
  'keyWatch',
  'linkKeyWatch',
  'requestWorker',
  'tracing',
] as const
// Named, because the compiler would describe them in the declarations by Koa's types, which a host may not have.
type Parts = Pick<typeof TOKENS, (typeof NAMES)[number]>
const PARTS = Object.fromEntries(NAMES.map((name) => [name, TOKENS[name]])) as unknown as Parts

/** What the service and the command line need of the container; nothing else asks it for anything. */
export interface Composition extends Resolved<Parts> {
  readonly jwks: () => object
  /** Closes what was opened, in order: mail and webhooks, then storage. */
  close(): Promise<void>
}

/**
 * Opens the storage and makes all that the service has; whoever calls it closes it.
 * @throws {OperatorError} it cannot start as it is set up
 */
export const openComposition = (config: Config, log: Log): Promise<Composition> => compositionIn(compose(config, log))

/**
 * The same of a container, with the bindings of a host service.
 * @throws {OperatorError} it cannot start as it is set up
 */
export const compositionIn = async (container: Resolver): Promise<Composition> => {
  const opened = await resolve(container, { config, storage })
  try {
    await requireSameSecret(opened.config, opened.storage)
    await requireSameSubjectClaim(opened.config, opened.storage)
    // What a setting may be wrong for comes first.
    const adapters = await resolve(container, ADAPTERS)
    if (opened.storage.client !== undefined) await requireSameKeys(opened.storage, adapters.verifier.jwks())
    return {
      ...(await resolve(container, PARTS)),
      jwks: () => adapters.verifier.jwks(),
      close: () => closeAll(adapters.transport, adapters.webhookTransport, opened.storage),
    }
  } catch (error) {
    await opened.storage.close()
    throw error
  }
}

/** In this order, each whatever became of those before. @throws what the first threw that could not be closed */
const closeAll = async (...parts: readonly { close(): Promise<void> }[]): Promise<void> => {
  const errors: unknown[] = []
  for (const part of parts) {
    try {
      await part.close()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
