import type { IncomingHttpHeaders } from 'node:http'
import type { FunnelMetrics, UseCases } from '@rollcall/core'
import type { MountedInterface } from './mounted-interface.ts'
import type { Pages } from './pages/pages.ts'

/** The log of the HTTP adapter. Fields never hold a body, a token, an address, a name or a query. */
export interface HttpLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** Whether lines of this level are wanted. Every request logs one at `debug`. Absent means that none are wanted. */
  isLevelEnabled?(level: string): boolean
}

/** The use cases. A host, and a command in this process, may say by themselves who a caller is. */
export type HttpUseCases = Omit<UseCases, 'authenticate'> & {
  readonly authenticate: Pick<UseCases['authenticate'], 'execute'>
}

/** Counts requests. Called for each one: it must be fast, and must not throw. */
export interface HttpObserver {
  /**
   * @param route the pattern of the matching route, never the path itself; undefined if no route matched
   * @param seconds from when the request's header fields were read until its response was ready
   */
  answered(route: string | undefined, method: string, status: number, seconds: number): void
}

/** What a trace says of a request. */
export interface AnsweredRequest {
  /** The pattern of the matching route, never the path itself; undefined if no route matched. */
  readonly route: string | undefined
  readonly status: number
}

/** Surrounds each request, as with a span of a trace. */
export interface HttpTracing {
  /** Undefined for a request that is not recorded. Called for each one; `method` and `headers` are what a stranger sent. */
  begin(request: {
    readonly method?: string | undefined
    readonly headers: IncomingHttpHeaders
  }): SurroundRequest | undefined
}

/** Calls `answer` at once, and resolves after it. */
type SurroundRequest = (answer: () => Promise<AnsweredRequest>) => Promise<void>

export interface HttpOptions {
  readonly useCases: HttpUseCases
  /** The public keys that verify this service's tokens: a JWK set (RFC 7517). */
  readonly jwks: () => object | Promise<object>
  /** The public URL of this service, without a slash at the end. Never taken from a request. */
  readonly publicUrl: string
  /** Whether the method TRACE is answered (RFC 9110 section 9.3.8). */
  readonly trace: boolean
  /** The number of proxies in front: that many entries of X-Forwarded-For are trusted, counted from the right. */
  readonly trustProxy: number
  /** Origins whose scripts may call `/subscribe` and `/challenge`. */
  readonly corsOrigins: readonly string[]
  readonly log: HttpLog
  /** Limits how often a client may ask for mails and try links. Absent means no limit. */
  readonly rateLimiter?: RateLimiter | undefined
  /** Limits how many forms come from one network. Absent means no limit. */
  readonly networkLimiter?: RateLimiter | undefined
  /** Counts forms that are refused before they reach the core. */
  readonly funnel?: Pick<FunnelMetrics, 'turnedAway'> | undefined
  readonly observer?: HttpObserver | undefined
  readonly tracing?: HttpTracing | undefined
  /** Another interface on the same port. Absent means that nothing is below its path. */
  readonly mounted?: MountedInterface | undefined
  /** The result of `readPages`; by default the pages as shipped. */
  readonly pages?: Pages | undefined
  /** Milliseconds since 1970; by default the system clock. */
  readonly now?: (() => number) | undefined
}

/** The path of the public URL, in front of all of this service's paths: empty, or without a slash at the end. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '')

/** The actions that are counted separately. */
export type LimitedAction = 'subscribe' | 'preferences' | 'links' | 'feedback' | 'network'

export interface RateLimitState {
  readonly allowed: boolean
  readonly remaining: number
  /** Milliseconds until its quota is full again. */
  readonly resetIn: number
}

export interface RateLimiter {
  /** How many requests a client may make within `window` milliseconds. */
  readonly quota: number
  readonly window: number
  /** Counts one action of a client, whose `key` may be any string; never waits for the next window. */
  count(action: LimitedAction, key: string): Promise<RateLimitState>
}
