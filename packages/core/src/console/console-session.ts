import type { Entry } from '../access/admit.ts'
import type { RoleSource } from '../access/caller.ts'
import type { Instant } from '../instant.ts'
import { HOUR, MINUTE, SECOND } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'

/**
 * A login to the console, with all that decides who it speaks for: `admit` is asked again on every request. Its secret is
 * only in the browser; what is stored is the secret's hash.
 */
export interface ConsoleSession extends Entry {
  /** Names it in lists; opens nothing. */
  readonly id: string
  readonly secretHash: string
  /** As it was at login. */
  readonly roleSource: RoleSource
  /** What the token said at login; empty if there was none. */
  readonly roles: readonly string[]
  readonly feeds: readonly string[] | undefined
  readonly tokenId: string | undefined
  /** When the token or the link that it was begun with was issued; 0 if a token does not say. */
  readonly issuedAt: Instant
  readonly createdAt: Instant
  /** Give or take a minute: not every request is worth a write. */
  readonly seenAt: Instant
  /** However much it is used. */
  readonly expiresAt: Instant
}

/** Ends a session that is not used. */
export const IDLE_LIMIT = 30 * MINUTE
/** Ends it in any case. */
export const LONGEST_SESSION = 12 * HOUR
/** Whether its time is over; its user may be gone before that. */
export const isOver = ({ expiresAt, seenAt }: ConsoleSession, now: Instant): boolean =>
  now >= expiresAt || now - seenAt >= IDLE_LIMIT
/** So young a login has to be for what does the most harm in the wrong hands: who finds an open browser cannot do it. */
export const FRESH_LOGIN = 15 * MINUTE
export const isFresh = (loggedInAt: Instant | undefined, now: Instant): boolean =>
  loggedInAt !== undefined && now - loggedInAt < FRESH_LOGIN

export const LOGIN_LINK_LIFE = 60 * SECOND

export interface ConsoleSessionReader {
  find(secretHash: string): Promise<ConsoleSession | undefined>
  /** Oldest first. */
  list(filter: Stretch & { readonly subject?: string | undefined }): Promise<Page<ConsoleSession>>
}

export interface ConsoleSessionStore extends ConsoleSessionReader {
  add(session: ConsoleSession): Promise<void>
  /** Nothing if it has ended. */
  touch(id: string, seenAt: Instant): Promise<void>
  /** Whether there was one. */
  remove(id: string): Promise<boolean>
  /** Removes every session of the subject. */
  eraseOf(subject: string): Promise<void>
  /** Removes up to `limit` that expire before `now`, were not seen since `idleSince`, or are of a deleted user; how many. */
  prune(before: { readonly now: Instant; readonly idleSince: Instant }, limit: number): Promise<number>
}

/** A login link that was not used yet, known by the hash of its secret. */
export interface LoginLink extends Pick<Entry, 'door' | 'subject'> {
  readonly secretHash: string
  readonly issuedAt: Instant
  readonly expiresAt: Instant
}

export interface LoginLinkStore {
  add(link: LoginLink): Promise<void>
  /** In a unit of work it stays true until that ends: of two that find it, one removes it. */
  find(secretHash: string): Promise<LoginLink | undefined>
  /** Whether there was one. */
  remove(secretHash: string): Promise<boolean>
  eraseOf(subject: string): Promise<void>
  prune(before: Instant, limit: number): Promise<number>
}
