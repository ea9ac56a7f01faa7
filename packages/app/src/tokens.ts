import type { OwnKeys } from '@rollcall/access-token'
import type { Ports, UseCases } from '@rollcall/core'
import type { RateLimiter } from '@rollcall/http-koa'
import type { CreateUserRepository } from '@rollcall/storage-sql/sqlite'
import type { Container, ServiceIdentifier } from 'inversify'
import type { Watch } from './access-tokens.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { ServiceMetrics } from './metrics/service-metrics.ts'
import type { SteadyClock } from './platform/steady-clock.ts'
import type { PublishedKeys } from './same-keys.ts'
import type { Storage } from './storage.ts'
import type { Bell } from './workers/bell.ts'

/** A name in the container that the compiler knows the type of. */
const token = <T>(name: string): ServiceIdentifier<T> => Symbol(name)

/** A container as far as it is asked for what is bound in it. */
export type Resolver = Pick<Container, 'getAsync'>

/** What a host service may bind anew: one token per port, and what the standard adapters are made of. */
export const TOKENS = {
  config: token<Config>('Config'),
  log: token<Log>('Log'),
  /** Milliseconds that SQLite's write lock is left to other processes after each commit; none where it is not bound. */
  courtesy: token<number>('Courtesy'),
  /** Bound by a host that keeps users on tables of its own, in the same database. */
  userRepository: token<CreateUserRepository>('UserRepository'),
  storage: token<Storage>('Storage'),
  /** Bound where the service signs its own tokens. */
  ownKeys: token<OwnKeys>('OwnKeys'),
  unitOfWork: token<Ports['unitOfWork']>('UnitOfWork'),
  readers: token<Ports['readers']>('Readers'),
  clock: token<Ports['clock']>('Clock'),
  steadyClock: token<SteadyClock>('SteadyClock'),
  randomness: token<Ports['randomness']>('Randomness'),
  digests: token<Ports['digests']>('Digests'),
  domainNames: token<Ports['domainNames']>('DomainNames'),
  bell: token<Bell>('OutboxBell'),
  /** Undefined where no challenge is asked for. */
  challenge: token<Ports['challenge']>('ChallengeAuthority'),
  /** Undefined where clients may ask as often as they like. */
  rateLimiter: token<RateLimiter | undefined>('RateLimiter'),
  metrics: token<ServiceMetrics>('ServiceMetrics'),
  transport: token<Ports['transport']>('MailTransport'),
  webhookTransport: token<Ports['webhookTransport']>('WebhookTransport'),
  verifier: token<Ports['verifier'] & { jwks(): PublishedKeys }>('AccessTokenVerifier'),
  issuer: token<Ports['issuer']>('AccessTokenIssuer'),
  keyRing: token<Ports['keyRing']>('SigningKeyRing'),
  /** Sees that a change of the signing keys reaches a running service. */
  keyWatch: token<Watch>('KeyWatch'),
  formats: token<Ports['formats']>('RecordFormats'),
  useCases: token<UseCases>('UseCases'),
} as const
