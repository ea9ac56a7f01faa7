import type { FunnelMetrics, UseCases } from '@rollcall/core'
import type { Pages } from './pages/pages.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** Where the HTTP adapter writes what happened. Fields never hold a body, a token, an address, a name or a query. */
export interface HttpLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** Every request is told at `debug`; where this says no, the line is not even made. Absent means no. */
  isLevelEnabled?(level: string): boolean
}

/** What of the core this adapter calls. */
export type HttpUseCases = Pick<
  UseCases,
  | 'access'
  | 'authenticate'
  | 'changePreferences'
  | 'checkReadiness'
  | 'confirmOnBehalf'
  | 'confirmSubscription'
  | 'createChallenge'
  | 'deleteFeed'
  | 'deleteUser'
  | 'deleteWebhook'
  | 'endOnBehalf'
  | 'endSubscription'
  | 'eraseSubscription'
  | 'exportPreferences'
  | 'exportSubscriptions'
  | 'exportUser'
  | 'getErasureReceipt'
  | 'getEvidence'
  | 'getFeed'
  | 'getSubscription'
  | 'getUser'
  | 'getWebhook'
  | 'importSubscriptions'
  | 'liftSuppression'
  | 'listAudit'
  | 'listEvents'
  | 'listFeeds'
  | 'listSubscriptions'
  | 'listSuppressions'
  | 'listUsers'
  | 'listWebhooks'
  | 'putFeed'
  | 'putUser'
  | 'putWebhook'
  | 'redeliverEvents'
  | 'refuseSubscription'
  | 'requestPreferences'
  | 'restoreUser'
  | 'rotateWebhookSecret'
  | 'showFeed'
  | 'showLink'
  | 'showPreferences'
  | 'signedLinks'
  | 'subscribe'
>

/** Who counts requests. Called for each one: has to be quick, and must not throw. */
export interface HttpObserver {
  /**
   * @param route the pattern of the path that took the request, never the path itself; undefined where none did
   * @param seconds from when the request's header fields were read until its answer was ready
   */
  answered(route: string | undefined, method: string, status: number, seconds: number): void
}

export interface HttpOptions {
  readonly useCases: HttpUseCases
  /** The public keys that verify this service's tokens: a JWK set (RFC 7517). */
  readonly jwks: () => object | Promise<object>
  /** What the world calls this service; no slash at the end. Never taken from a request. */
  readonly publicUrl: string
  /** Whether TRACE is answered. */
  readonly trace: boolean
  /** How many proxies stand in front: that many entries of X-Forwarded-For are believed, counted from the right. */
  readonly trustProxy: number
  /** Origins whose scripts may call `/subscribe` and `/challenge`. */
  readonly corsOrigins: readonly string[]
  readonly log: HttpLog
  /** How often a client may ask for mails, and try links; without one, as often as it likes. */
  readonly rateLimiter?: RateLimiter | undefined
  /** Where forms are counted that were turned away before the core saw them. */
  readonly funnel?: Pick<FunnelMetrics, 'turnedAway'> | undefined
  readonly observer?: HttpObserver | undefined
  /** What `readPages` found; where none is given, pages are as they come. */
  readonly pages?: Pages | undefined
  /** Milliseconds since 1970; the system's clock where none is given. */
  readonly now?: (() => number) | undefined
}

/** The path of the public URL, in front of all of this service's paths: empty, or without a slash at the end. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '')
