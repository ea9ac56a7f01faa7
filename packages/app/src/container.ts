import { type Clock, createUseCases, type Digests } from '@rollcall/core'
import type { RateLimiter } from '@rollcall/http-koa/host'
import { nodeDomainNames, systemClock } from '@rollcall/platform-node'
import type { CreateUserRepository, SqliteStorageOptions } from '@rollcall/storage-sql/sqlite'
import { createWebhookTransport } from '@rollcall/webhook'
import { Container, ContainerModule, type ContainerModuleLoadOptions, type ServiceIdentifier } from 'inversify'
import { networkLimitOf, type RateLimit } from './abuse/parse-rate-limit.ts'
import {
  DirectoryKeys,
  directoryKeyRing,
  directoryTokenIssuer,
  keyWatchOf,
  openKeys,
  ownKeyRing,
  ownTokenIssuer,
  ownTokenVerifier,
  providerTokenVerifier,
} from './access-tokens.ts'
import { auditAnchorFile } from './audit-anchor-file.ts'
import { type Config, currentPostgresUrl } from './config.ts'
import type { Storage } from './database.ts'
import { feedbackVerifiers } from './feedback-verifiers.ts'
import { linkKeyWatchOf, openLinkKeys } from './link-keys.ts'
import type { Log } from './log.ts'
import { createMailTransport } from './mail-transport.ts'
import { NO_SERVICE_METRICS } from './metrics/service-metrics.ts'
import { JumpGuardedClock } from './platform/jump-guarded-clock.ts'
import { createNodeDigests } from './platform/node-digests.ts'
import { nodeRandomness } from './platform/node-randomness.ts'
import { readSecret } from './secret.ts'
import { StartupError } from './startup-error.ts'
import { PORTS, resolve, TOKENS } from './tokens.ts'
import { openTracing } from './tracing/open-tracing.ts'
import { RequestWorker } from './workers/request-worker.ts'

// Each binding is in singleton scope by itself, whatever the default of a host's container: the keys that are watched must
// be those that verify, and the storage that is closed the one that was opened.

/** Chance, digests, link keys and names by Node; what carries requests out. */
export const platformModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.jumpGuardedClock)
    .toResolvedValue((clock: Clock, log: Log) => new JumpGuardedClock(clock, log), [TOKENS.clock, TOKENS.log])
    .inSingletonScope()
  bind(TOKENS.randomness).toConstantValue(nodeRandomness)
  bind(TOKENS.domainNames).toConstantValue(nodeDomainNames)
  bind(TOKENS.digests)
    .toResolvedValue((config: Config) => createNodeDigests(readSecret(config.DATA_DIR, config.SECRET)), [TOKENS.config])
    .inSingletonScope()
  bind(TOKENS.linkKeys).toResolvedValue(openLinkKeys, [TOKENS.config, TOKENS.storage]).inSingletonScope()
  bind(TOKENS.linkKeyWatch).toResolvedValue(linkKeyWatchOf, [TOKENS.linkKeys, TOKENS.log]).inSingletonScope()
  bind(TOKENS.requestWorker)
    .toResolvedValue((storage: Storage) => new RequestWorker(() => storage.isServed()), [TOKENS.storage])
    .inSingletonScope()
})

/** What a host may bind and need not. */
const ifBound = <T>(serviceIdentifier: ServiceIdentifier<T>) => ({ serviceIdentifier, optional: true }) as const

/** What the storage has for the core, whichever it is. */
const bindStoresOf = (bind: ContainerModuleLoadOptions['bind']): void => {
  bind(TOKENS.unitOfWork)
    .toResolvedValue((storage) => storage.unitOfWork, [TOKENS.storage])
    .inSingletonScope()
  bind(TOKENS.readers)
    .toResolvedValue((storage) => storage.readers, [TOKENS.storage])
    .inSingletonScope()
  // A host whose units of work are its own is passed by in none of its changes.
  bind(TOKENS.inbox)
    .toResolvedValue(
      (storage, unitOfWork) => (unitOfWork === storage.unitOfWork ? storage.inbox : undefined),
      [TOKENS.storage, TOKENS.unitOfWork],
    )
    .inSingletonScope()
  bind(TOKENS.userChanges)
    .toResolvedValue(
      (storage, unitOfWork) => (unitOfWork === storage.unitOfWork ? storage.userChanges : undefined),
      [TOKENS.storage, TOKENS.unitOfWork],
    )
    .inSingletonScope()
}

/** Every store, on SQLite, and the clock of this machine. */
export const sqliteModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.clock).toConstantValue(systemClock)
  bind(TOKENS.storage)
    .toResolvedValue(
      async (
        config: Config,
        log: Log,
        clock: Clock,
        lockPause: SqliteStorageOptions['lockPause'],
        onDiskFailure: SqliteStorageOptions['onDiskFailure'],
        users: SqliteStorageOptions['users'],
      ) =>
        await (await import('@rollcall/storage-sql/sqlite')).openSqliteStorage({
          clock,
          lockPause,
          onDiskFailure,
          users,
          file: config.databaseFile,
          onCheckpointError: (error) => log.warn({ err: error }, 'the log of the database could not be shortened yet'),
        }),
      [
        TOKENS.config,
        TOKENS.log,
        TOKENS.clock,
        ifBound(TOKENS.lockPause),
        ifBound(TOKENS.onDiskFailure),
        ifBound(TOKENS.userRepository),
      ],
    )
    .inSingletonScope()
  bindStoresOf(bind)
})

/** Every store, on PostgreSQL, and the clock of its server; instead of SQLite. */
export const postgresModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.clock)
    .toResolvedValue(({ clock }: Storage) => clock ?? systemClock, [TOKENS.storage])
    .inSingletonScope()
  bind(TOKENS.storage)
    .toResolvedValue(
      async (config: Config, log: Log, lockPause: number | undefined, users: CreateUserRepository | undefined) => {
        const { postgresUrl } = config
        if (postgresUrl === undefined) throw new StartupError('Set ROLLCALL_DATABASE_URL to a postgres:// address.')
        return await (await import('@rollcall/storage-sql/postgres')).openPostgresStorage({
          url: postgresUrl,
          currentUrl: () => {
            const url = currentPostgresUrl(config)
            if (url === '')
              log.warn({}, 'the database address in its file cannot be used: the user and password before stay in use')
            return url
          },
          // Commands leave pauses to others.
          serving: lockPause === undefined,
          onConnectionLoss: (error) => log.warn({ err: error }, 'a connection to the database was lost'),
          users,
        })
      },
      [TOKENS.config, TOKENS.log, ifBound(TOKENS.lockPause), ifBound(TOKENS.userRepository)],
    )
    .inSingletonScope()
  bindStoresOf(bind)
})

/** Mail by SMTP, or as files if no relay is configured. */
export const mailModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.transport).toResolvedValue(createMailTransport, [TOKENS.config, TOKENS.log]).inSingletonScope()
})

export const webhookModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.webhookTransport)
    .toResolvedValue(
      ({ WEBHOOK_ALLOW }: Config, clock: Clock) =>
        createWebhookTransport({ clock, allow: WEBHOOK_ALLOW, allowSetting: 'ROLLCALL_WEBHOOK_ALLOW' }),
      [TOKENS.config, TOKENS.clock],
    )
    .inSingletonScope()
})

export const ownTokensModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.ownKeys).toResolvedValue(openKeys, [TOKENS.config]).inSingletonScope()
  bind(TOKENS.verifier).toResolvedValue(ownTokenVerifier, [TOKENS.ownKeys, TOKENS.clock]).inSingletonScope()
  bind(TOKENS.issuer).toResolvedValue(ownTokenIssuer, [TOKENS.ownKeys, TOKENS.clock]).inSingletonScope()
  bind(TOKENS.keyRing)
    .toResolvedValue(ownKeyRing, [TOKENS.config, TOKENS.ownKeys, TOKENS.storage, TOKENS.clock])
    .inSingletonScope()
  bind(TOKENS.keyWatch).toResolvedValue(keyWatchOf, [TOKENS.config, TOKENS.ownKeys, TOKENS.log]).inSingletonScope()
})

/** Access tokens of an identity provider; instead of own ones, but for directories. */
export const providerTokensModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.directoryKeys)
    .toResolvedValue((config: Config, log: Log) => new DirectoryKeys(config, log), [TOKENS.config, TOKENS.log])
    .inSingletonScope()
  bind(TOKENS.verifier)
    .toResolvedValue(providerTokenVerifier, [TOKENS.config, TOKENS.directoryKeys, TOKENS.log, TOKENS.clock])
    .inSingletonScope()
  bind(TOKENS.issuer).toResolvedValue(directoryTokenIssuer, [TOKENS.config, TOKENS.clock]).inSingletonScope()
  bind(TOKENS.keyRing)
    .toResolvedValue(directoryKeyRing, [TOKENS.config, TOKENS.directoryKeys, TOKENS.storage, TOKENS.clock])
    .inSingletonScope()
  bind(TOKENS.keyWatch)
    .toResolvedValue((keys: DirectoryKeys) => keys, [TOKENS.directoryKeys])
    .inSingletonScope()
})

/** Challenges as the ALTCHA widget solves them, if any are asked for. */
export const challengeModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.challenge)
    .toResolvedValue(
      async ({ CHALLENGE }: Config, clock: Clock, digests: Digests) =>
        CHALLENGE === 'off'
          ? undefined
          : (await import('@rollcall/proof-of-work')).createAltchaAuthority({ clock, digests }),
      [TOKENS.config, TOKENS.clock, TOKENS.digests],
    )
    .inSingletonScope()
})

/** A count of what each client and each network asks, if they may ask only so often. */
export const rateLimitModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.rateLimiter)
    .toResolvedValue(
      async ({ RATE_LIMIT }: Config, { client }: Storage) =>
        RATE_LIMIT === 'off' ? undefined : await limiterOf(RATE_LIMIT, client),
      [TOKENS.config, TOKENS.storage],
    )
    .inSingletonScope()
  bind(TOKENS.networkLimiter)
    .toResolvedValue(
      async ({ RATE_LIMIT }: Config, { client }: Storage) =>
        RATE_LIMIT === 'off' ? undefined : await limiterOf(networkLimitOf(RATE_LIMIT), client),
      [TOKENS.config, TOKENS.storage],
    )
    .inSingletonScope()
})

/** Where other instances see it, or in memory. */
const limiterOf = async (limit: RateLimit, client: Storage['client']): Promise<RateLimiter> =>
  client === undefined
    ? new (await import('./abuse/memory-rate-limiter.ts')).MemoryRateLimiter(limit)
    : new (await import('./abuse/postgres-rate-limiter.ts')).PostgresRateLimiter(limit, client)

/** Counters for Prometheus, if there is a port to show them on. */
export const metricsModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.metrics)
    .toResolvedValue(
      async ({ METRICS_PORT }: Config) =>
        METRICS_PORT === undefined
          ? NO_SERVICE_METRICS
          : new (await import('./metrics/prometheus-metrics.ts')).PrometheusMetrics(),
      [TOKENS.config],
    )
    .inSingletonScope()
})

/** The core over whatever the ports are bound to. */
export const coreModule = new ContainerModule(({ bind }) => {
  // What came back: reports of mail servers, and of the providers that are configured.
  bind(TOKENS.reportParser)
    .toResolvedValue(() => ({
      parse: async (message) => await (await import('@rollcall/mail')).createReportParser().parse(message),
    }))
    .inSingletonScope()
  bind(TOKENS.reportMailbox)
    .toResolvedValue(
      async ({ FEEDBACK_IMAP_URL: url }: Config) =>
        url === undefined ? undefined : (await import('@rollcall/mail')).createImapMailbox({ url }),
      [TOKENS.config],
    )
    .inSingletonScope()
  bind(TOKENS.feedbackVerifiers)
    .toResolvedValue(feedbackVerifiers, [TOKENS.config, TOKENS.clock, TOKENS.log])
    .inSingletonScope()
  bind(TOKENS.auditAnchor)
    .toResolvedValue(({ anchorFile }: Config) => auditAnchorFile(anchorFile), [TOKENS.config])
    .inSingletonScope()
  bind(TOKENS.tracing)
    .toResolvedValue(
      (log: Log, { TRACING_RATE }: Config) => openTracing(log, TRACING_RATE),
      [TOKENS.log, TOKENS.config],
    )
    .inSingletonScope()
  bind(TOKENS.useCases)
    .toDynamicValue(async (context) => {
      const config = await context.getAsync(TOKENS.config)
      const { publicUrl, postgresUrl, CONFIRM_TTL, DELETE_GRACE, BOUNCE_ADDRESS, BLOCKED_DOMAINS } = config
      const [policy, permissions] = [
        await context.getAsync(TOKENS.policy, { optional: true }),
        await context.getAsync(TOKENS.permissions, { optional: true }),
      ]
      const [tracing, ports] = [await context.getAsync(TOKENS.tracing), { ...(await resolve(context, PORTS)), policy }]
      const settings = {
        publicUrl,
        permissions,
        linkLife: CONFIRM_TTL,
        deleteGrace: DELETE_GRACE,
        bounceAddress: BOUNCE_ADDRESS,
        blockedDomains: BLOCKED_DOMAINS,
      }
      if (tracing === undefined) return createUseCases(ports, settings)
      const database = postgresUrl === undefined ? 'sqlite' : 'postgresql'
      const useCases = createUseCases(tracing.ports(ports, database), settings)
      tracing.addTo(useCases)
      return useCases
    })
    .inSingletonScope()
})

/** The service as it ships. Nothing is opened before it is asked for; closing is the caller's, in order. */
export const compose = (config: Config, log: Log): Container => {
  const container = new Container()
  container.bind(TOKENS.config).toConstantValue(config)
  container.bind(TOKENS.log).toConstantValue(log)
  const tokensModule = config.provider === undefined ? ownTokensModule : providerTokensModule
  const storageModule = config.postgresUrl === undefined ? sqliteModule : postgresModule
  container.load(platformModule, storageModule, mailModule, webhookModule, tokensModule)
  container.load(challengeModule, rateLimitModule, metricsModule, coreModule)
  return container
}
