import type { FeedName } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'

/** The channel through which a command came; `feedback` is a report of a mail provider, `scim` what a directory asks for. */
export type Channel = (typeof CHANNELS)[number]
export const CHANNELS = ['http', 'cli', 'library', 'feedback', 'console', 'scim'] as const

/** Where the caller's roles come from: the token, the database, or the operating system (an operator). */
export type RoleSource = (typeof ROLE_SOURCES)[number]
export const ROLE_SOURCES = ['token', 'stored', 'operator'] as const

/** The actor on whose behalf a command runs. `authenticate` makes one of a token, `operator` one who may do everything. */
export interface Caller {
  readonly id: string
  /** Such as `admin`. */
  readonly roles: readonly string[]
  readonly roleSource: RoleSource
  readonly channel: Channel
  readonly tokenId?: string | undefined
  /** The only feeds that exist for the caller, if its token is bound to feeds. */
  readonly feeds?: readonly FeedName[] | undefined
  readonly requestId?: string | undefined
  /** When its token was issued, or its session began. */
  readonly issuedAt?: Instant | undefined
  /** The version of its identity when it was admitted, if it is a stored user: a change is made only if that is still so. */
  readonly identityVersion?: number | undefined
}

/** Whether the feed exists for the caller; if not, it is left out, or not found. */
export const mayKnowOfFeed = ({ feeds }: Pick<Caller, 'feeds'>, feed: FeedName): boolean =>
  feeds === undefined || feeds.includes(feed)

export const ADMIN = 'admin'

/** The role of a program that sends newsletters; the only one that a token is bound to feeds with. */
export const SENDER = 'sender'

/** The role of a directory that keeps users in step over SCIM. It permits nothing anywhere else. */
export const PROVISIONER = 'provisioner'

export const OPERATOR_PREFIX = 'operator:'

/** The service itself, as the actor of recorded actions that no caller asked for. */
export const SYSTEM: Caller = {
  id: `${OPERATOR_PREFIX}rollcall`,
  roles: [],
  roleSource: 'operator',
  channel: 'library',
}
