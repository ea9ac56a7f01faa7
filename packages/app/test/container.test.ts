import { existsSync } from 'node:fs'
import path from 'node:path'
import { AlwaysOnSampler } from '@opentelemetry/sdk-trace-node'
import { operator } from '@rollcall/core'
import { MemoryClock, MemoryMailTransport, memoryDigests, openMemoryStorage } from '@rollcall/core/memory'
import { migrateSqlite } from '@rollcall/storage-sql/sqlite'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openComposition } from '../src/composition.ts'
import { readConfig } from '../src/config.ts'
import {
  challengeModule,
  compose,
  coreModule,
  mailModule,
  metricsModule,
  ownTokensModule,
  platformModule,
  providerTokensModule,
  rateLimitModule,
  sqliteModule,
  webhookModule,
} from '../src/container.ts'
import type { Storage } from '../src/index.ts'
import { silentLog } from '../src/log.ts'
import { NO_SERVICE_METRICS } from '../src/metrics/service-metrics.ts'
import { openService, type Service } from '../src/service.ts'
import { type Resolver, TOKENS } from '../src/tokens.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { Traces, untraced } from './traces.ts'

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
})

const configured = async (settings: Readonly<Record<string, string>> = {}) => {
  const config = readConfig({ ROLLCALL_DATA_DIR: folder, ...settings })
  await migrateSqlite(config.databaseFile)
  return config
}

const EVERYTHING = {
  ROLLCALL_FEEDBACK_POSTMARK_SECRET: '0123456789abcdef',
  ROLLCALL_FEEDBACK_SES_TOPICS: 'arn:aws:sns:eu-west-1:123456789012:feedback',
  ROLLCALL_FEEDBACK_IMAP_URL: 'imaps://user:password@imap.example.com',
  ROLLCALL_BOUNCE_ADDRESS: 'bounces@news.example.com',
  ...{ ROLLCALL_CHALLENGE: 'altcha', ROLLCALL_METRICS_PORT: '9090' },
}
const PROVIDER = { ROLLCALL_AUTH_ISSUER: 'https://id.example.com', ROLLCALL_AUTH_AUDIENCE: 'rollcall' }

/** Tokens that have nothing behind them unless a host binds it. */
const OF_HOSTS = 'lockPause onDiskFailure userRepository inbox userChanges policy permissions'.split(' ')

const DAY = 24 * 3_600_000
const SOURCE = { via: 'form', clientAddress: undefined, userAgent: undefined }

/** A service that works until the test ends. */
const started = async (container: Resolver) => {
  const service = await openService(container)
  await service.start()
  return { ...service, [Symbol.asyncDispose]: () => service.close() }
}
const subscribed = async ({ useCases }: Service) => {
  const { id, processed } = await useCases.subscribe.execute({ email: 'ada@example.com', source: SOURCE })
  await processed()
  return await useCases.getSubscription.execute({ subscriptionId: String(id) }, operator('root'))
}

describe('the container', () => {
  it('resolves every token', async () => {
    using _sdk = new Traces(new AlwaysOnSampler())
    const container = compose(await configured(EVERYTHING), silentLog)
    for (const [name, token] of Object.entries(TOKENS)) {
      if (OF_HOSTS.includes(name) || name === 'directoryKeys') continue
      const resolved: unknown = await container.getAsync<unknown>(token)
      expect([name, typeof resolved]).toEqual([name, 'object'])
    }
    await (await container.getAsync(TOKENS.storage)).close()
  })

  it('resolves every token but that of the own keys where an identity provider issues the tokens', async () => {
    using _none = untraced()
    const { databaseFile } = await configured()
    const config = readConfig({ ROLLCALL_DATA_DIR: folder, ...PROVIDER })
    expect(config.databaseFile).toBe(databaseFile)
    const container = compose(config, silentLog)
    const off = [...OF_HOSTS, 'ownKeys', 'challenge', 'feedbackVerifiers', 'reportMailbox', 'tracing']
    for (const [name, token] of Object.entries(TOKENS))
      if (!off.includes(name)) expect(await container.getAsync<unknown>(token), name).toBeDefined()
    expect(await container.getAsync(TOKENS.tracing)).toBeUndefined()
    expect(container.isBound(TOKENS.ownKeys)).toBe(false)
    const keyRing = await container.getAsync(TOKENS.keyRing)
    await expect(keyRing.makeKey()).rejects.toMatchObject({ name: 'KeysNotRotatable' })
    await (await container.getAsync(TOKENS.storage)).close()
  })

  it('loads neither challenges, nor limits, nor counters where they are off', async () => {
    const container = compose(await configured({ ROLLCALL_RATE_LIMIT: 'off' }), silentLog)
    expect(await container.getAsync(TOKENS.challenge)).toBeUndefined()
    expect(await container.getAsync(TOKENS.rateLimiter)).toBeUndefined()
    expect(await container.getAsync(TOKENS.networkLimiter)).toBeUndefined()
    expect(await container.getAsync(TOKENS.metrics)).toBe(NO_SERVICE_METRICS)
    expect((await container.getAsync(TOKENS.useCases)).createChallenge.required).toBe(false)
    await (await container.getAsync(TOKENS.storage)).close()
  })

  it('lets a host rebind the clock, by which the storage says what is due, too', async () => {
    const container = compose(await configured(), silentLog)
    const transport = new MemoryMailTransport()
    container.rebind(TOKENS.transport).toConstantValue(transport)
    container.rebind(TOKENS.clock).toConstantValue({ now: () => Date.now() + DAY })
    await using service = await started(container)
    const { createdAt } = await subscribed(service)
    expect(createdAt).toBeGreaterThan(Date.now() + DAY / 2)
    await vi.waitFor(() => expect(transport.mails).toHaveLength(1))
  })

  it('lets a host rebind the digests, by which the links in mails are good', async () => {
    const container = compose(await configured(), silentLog)
    const transport = new MemoryMailTransport()
    container.rebind(TOKENS.transport).toConstantValue(transport)
    const digests = memoryDigests('the secret of the host')
    const hmac = vi.fn(digests.hmac)
    container.rebind(TOKENS.digests).toConstantValue({ ...digests, hmac })
    await using service = await started(container)
    await subscribed(service)
    await vi.waitFor(() => expect(transport.mails).toHaveLength(1))
    const token = transport.mails[0]?.links.confirm?.split('/').at(-1) ?? ''
    await service.useCases.confirmSubscription.execute({ token, source: SOURCE })
    expect((await subscribed(service)).status).toBe('confirmed')
    expect(hmac).toHaveBeenCalled()
  })

  it('lets a host rebind the storage, and all that is of it follows', async () => {
    const clock = new MemoryClock()
    const { readers, ...memory } = openMemoryStorage(clock)
    const kept = new Map<string, string>()
    const close = vi.fn(memory.close)
    const storage: Storage = {
      ...memory,
      readers,
      close,
      recall: async (name) => kept.get(name),
      settle: async (name, value) => kept.get(name) ?? kept.set(name, value).get(name) ?? value,
      resettle: async (name, value) => void kept.set(name, value),
      migrations: { pending: async () => [] },
      isServed: async () => true,
    }
    const container = compose(await configured(), silentLog)
    container.rebind(TOKENS.storage).toConstantValue(storage)
    container.rebind(TOKENS.clock).toConstantValue(clock)
    const service = await started(container)
    const { email } = await subscribed(service)
    expect((await readers.subscriptions.list({ after: 0, limit: 10 })).items).toMatchObject([{ email }])
    await service.close()
    expect(close).toHaveBeenCalledOnce()
  })

  it('lets a host rebind the verifier of tokens', async () => {
    const container = compose(await configured(), silentLog)
    const verify = async (token: string) => ({ subject: token, roles: ['admin'], tokenId: undefined })
    container.rebind(TOKENS.verifier).toConstantValue({ verify, jwks: () => ({ keys: [] }) })
    await using service = await started(container)
    const caller = await service.useCases.authenticate.execute({ token: 'ada', channel: 'http' })
    expect([caller.id, service.jwks()]).toEqual(['ada', { keys: [] }])
  })

  it('passes by a host whose units of work are its own in nothing', async () => {
    const container = compose(await configured(), silentLog)
    const storage = await container.getAsync(TOKENS.storage)
    const shorter = { ...storage, inbox: {}, userChanges: {} } as Storage
    const bound = async (own?: Storage['unitOfWork']) => {
      const other = compose(await configured(), silentLog)
      other.rebind(TOKENS.storage).toConstantValue(shorter)
      if (own) other.rebind(TOKENS.unitOfWork).toConstantValue(own)
      return [await other.getAsync(TOKENS.inbox), await other.getAsync(TOKENS.userChanges)]
    }
    expect(await bound()).toEqual([shorter.inbox, shorter.userChanges])
    expect(await bound({ run: storage.unitOfWork.run })).toEqual([undefined, undefined])
    await storage.close()
  })

  it('gives the storage the user repository that a host binds', async () => {
    const container = compose(await configured(), silentLog)
    const absent = async () => undefined
    container.bind(TOKENS.userRepository).toConstantValue(() => ({
      find: absent,
      list: async () => ({ items: [], next: undefined }),
      countWithRole: async () => 42,
      put: absent,
      erase: absent,
    }))
    expect(await (await container.getAsync(TOKENS.readers)).users.countWithRole('admin')).toBe(42)
    const { run } = await container.getAsync(TOKENS.unitOfWork)
    expect(await run(({ users }) => users.countWithRole('admin'))).toBe(42)
    await (await container.getAsync(TOKENS.storage)).close()
  })
})

describe('a container of a host, which makes what is bound anew each time', () => {
  const hosted = (settings: Readonly<Record<string, string>> = {}, tokensModule = ownTokensModule) => {
    const config = readConfig({ ROLLCALL_DATA_DIR: folder, ...settings })
    const Plain = compose(config, silentLog).constructor as new () => ReturnType<typeof compose>
    const container = new Plain()
    container.load(platformModule, sqliteModule, mailModule, webhookModule, tokensModule)
    container.load(challengeModule, rateLimitModule, metricsModule, coreModule)
    container.bind(TOKENS.config).toConstantValue(config)
    container.bind(TOKENS.log).toConstantValue(silentLog)
    return container
  }

  it.each([
    ['own tokens', ownTokensModule, {}],
    ['those of a provider', providerTokensModule, PROVIDER],
  ])('gives the same instance to everybody who asks, with %s', async (_, tokensModule, settings) => {
    await configured()
    using _sdk = new Traces(new AlwaysOnSampler())
    const container = hosted({ ...EVERYTHING, ...settings }, tokensModule)
    for (const [name, token] of Object.entries(TOKENS)) {
      if (!container.isBound(token)) continue
      const first: unknown = await container.getAsync<unknown>(token)
      expect([name, (await container.getAsync<unknown>(token)) === first]).toEqual([name, true])
    }
    const storage = await container.getAsync(TOKENS.storage)
    expect(await container.getAsync(TOKENS.unitOfWork)).toBe(storage.unitOfWork)
    await storage.close()
  })
})

describe('a composition', () => {
  it.each([
    ['MAIL_FROM', 'not an address'],
    ['MAIL_FROM', 'Rollcall <no-reply>'],
    ['SMTP_URL', 'smtp://user@relay.example.com'],
    ['SIGNING_KEYS', 'garbage'],
    ['SIGNING_KEYS', '{"keys":[]}'],
  ])('is refused with ROLLCALL_%s=%s, naming the setting', async (name, value) => {
    await configured()
    const config = readConfig({ ROLLCALL_DATA_DIR: folder, [`ROLLCALL_${name}`]: value })
    await expect(openComposition(config, silentLog)).rejects.toThrow(new RegExp(`^ROLLCALL_${name}\\b`))
  })

  it('closes everything, also if a transport of the host cannot be closed, and says so then', async () => {
    const container = compose(await configured(), silentLog)
    const transport = new MemoryMailTransport()
    transport.close = () => Promise.reject(new Error('It hangs.'))
    container.rebind(TOKENS.transport).toConstantValue(transport)
    const service = await openService(container)
    const log = path.join(folder, 'rollcall.db-wal')
    expect(existsSync(log)).toBe(true)
    await expect(service.close()).rejects.toThrow('It hangs.')
    expect(existsSync(log)).toBe(false)
    await (await openService(compose(await configured(), silentLog))).close()
  })

  it('closes the storage when the rest cannot be opened', async () => {
    const config = { ...(await configured()), SIGNING_KEYS: 'no keys at all' }
    await expect(openComposition(config, silentLog)).rejects.toThrow(/ROLLCALL_SIGNING_KEYS|key/i)
    const again = await openComposition(await configured(), silentLog)
    await again.close()
  })
})
