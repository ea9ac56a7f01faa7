import type { UseCases } from '@rollcall/core'

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
  | 'checkReadiness'
  | 'confirmSubscription'
  | 'deleteUser'
  | 'endSubscription'
  | 'getFeed'
  | 'getSubscription'
  | 'getUser'
  | 'listAudit'
  | 'listFeeds'
  | 'listUsers'
  | 'putFeed'
  | 'putUser'
  | 'refuseSubscription'
  | 'showFeed'
  | 'showLink'
  | 'subscribe'
>

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
  /** Origins whose scripts may call `/subscribe`. */
  readonly corsOrigins: readonly string[]
  readonly log: HttpLog
  /** Milliseconds since 1970; the system's clock where none is given. */
  readonly now?: (() => number) | undefined
}
