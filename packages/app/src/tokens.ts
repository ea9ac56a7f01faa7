import type { OwnKeys } from '@rollcall/access-token'
import type { PermissionTable, Ports, UseCases } from '@rollcall/core'
import type { RateLimiter } from '@rollcall/http-koa/host'
import type { CreateUserRepository, SqliteStorageOptions } from '@rollcall/storage-sql/sqlite'
import type { ServiceIdentifier } from 'inversify'
import type { DirectoryKeys, PublishedKeys, Watch } from './access-tokens.ts'
import type { Config } from './config.ts'
import type { Storage } from './database.ts'
import type { Log } from './log.ts'
import type { ServiceMetrics } from './metrics/service-metrics.ts'
import type { JumpGuardedClock } from './platform/jump-guarded-clock.ts'
import type { Tracing } from './tracing/tracing.ts'
import type { RequestWorker } from './workers/request-worker.ts'

/** A name in the container that the compiler knows the type of. */
const token = <T>(name: string): ServiceIdentifier<T> => Symbol(name)

/** A container, or the part of one that answers what is bound in it. */
export interface Resolver {
  getAsync<T>(token: ServiceIdentifier<T>): Promise<T>
}

/** One token for each port of the core, by the name that the core has for it. */
export const PORTS = {
  unitOfWork: token<Ports['unitOfWork']>('UnitOfWork'),
  readers: token<Ports['readers']>('Readers'),
  /** Undefined if a unit of work each is all that there is. */
  inbox: token<Ports['inbox']>('RequestInbox'),
  /** Undefined if a unit of work each is all that there is. */
  userChanges: token<Ports['userChanges']>('UserChanges'),
  requestWorker: token<RequestWorker>('RequestWorker'),
  clock: token<Ports['clock']>('Clock'),
  jumpGuardedClock: token<JumpGuardedClock>('JumpGuardedClock'),
  randomness: token<Ports['randomness']>('Randomness'),
  digests: token<Ports['digests']>('Digests'),
  linkKeys: token<Ports['linkKeys']>('LinkKeys'),
  domainNames: token<Ports['domainNames']>('DomainNames'),
  transport: token<Ports['transport']>('MailTransport'),
  webhookTransport: token<Ports['webhookTransport']>('WebhookTransport'),
  verifier: token<Ports['verifier'] & { jwks(): PublishedKeys }>('AccessTokenVerifier'),
  issuer: token<Ports['issuer']>('AccessTokenIssuer'),
  keyRing: token<Ports['keyRing']>('SigningKeyRing'),
  /** Where the newest seal of the audit trail is kept outside the storage. */
  auditAnchor: token<Ports['auditAnchor']>('AuditAnchor'),
  /** Undefined if no provider is believed. */
  feedbackVerifiers: token<Ports['feedbackVerifiers']>('FeedbackVerifiers'),
  metrics: token<ServiceMetrics>('ServiceMetrics'),
  /** Reads what mail servers report of our own mails. */
  reportParser: token<Ports['reportParser']>('ReportParser'),
  /** Undefined if reports are handed over, or not taken. */
  reportMailbox: token<Ports['reportMailbox']>('ReportMailbox'),
  /** Undefined if no challenge is asked for. */
  challenge: token<Ports['challenge']>('ChallengeAuthority'),
} as const satisfies { readonly [Name in Exclude<keyof Ports, 'policy'>]-?: ServiceIdentifier<Ports[Name]> }

/** What a host service may rebind: every port, and the parts of the standard adapters. */
export const TOKENS = {
  ...PORTS,
  config: token<Config>('Config'),
  log: token<Log>('Log'),
  /** Milliseconds that SQLite's write lock is left to other processes after each commit; none if it is not bound. */
  lockPause: token<number>('LockPause'),
  /** Called when the disk of the SQLite file fails; if it is not bound, the error is thrown outside of everything. */
  onDiskFailure: token<NonNullable<SqliteStorageOptions['onDiskFailure']>>('OnDiskFailure'),
  /** Bound by a host that keeps users on tables of its own, in the same database. */
  userRepository: token<CreateUserRepository>('UserRepository'),
  /** Bound by a host that decides itself who may do what. */
  policy: token<NonNullable<Ports['policy']>>('AuthorizationPolicy'),
  /** Bound by a host with roles of its own; by default the standard table. */
  permissions: token<PermissionTable>('PermissionTable'),
  storage: token<Storage>('Storage'),
  /** Bound if the service signs its own tokens. */
  ownKeys: token<OwnKeys>('OwnKeys'),
  /** Bound if an identity provider issues the tokens: the own keys for those of directories. */
  directoryKeys: token<DirectoryKeys>('DirectoryKeys'),
  /** Applies a change of the signing keys to a running service. */
  keyWatch: token<Watch>('KeyWatch'),
  /** Applies a change of the link keys to a running service. */
  linkKeyWatch: token<Watch>('LinkKeyWatch'),
  /** Undefined if clients may ask as often as they like. */
  rateLimiter: token<RateLimiter | undefined>('RateLimiter'),
  /** Undefined if networks may ask as often as they like. */
  networkLimiter: token<RateLimiter | undefined>('NetworkLimiter'),
  /** Undefined if no OpenTelemetry SDK is loaded. */
  tracing: token<Tracing | undefined>('Tracing'),
  useCases: token<UseCases>('UseCases'),
} as const

/** What the tokens of a record stand for, by the same names. */
export type Resolved<Tokens> = {
  readonly [Name in keyof Tokens]: Tokens[Name] extends ServiceIdentifier<infer Value> ? Value : never
}

/** Resolves the tokens of a record one after another: nothing is still being made once one of them has thrown. */
export const resolve = async <const Tokens extends Readonly<Record<string, ServiceIdentifier>>>(
  resolver: Resolver,
  tokens: Tokens,
): Promise<Resolved<Tokens>> => {
  const values: [string, unknown][] = []
  for (const [name, token] of Object.entries(tokens)) values.push([name, await resolver.getAsync(token)])
  return Object.fromEntries(values) as Resolved<Tokens>
}
