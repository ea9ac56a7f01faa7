import type { Feed, FeedName } from '../feeds/feed.ts'
import type { FieldValues } from '../feeds/feed-fields.ts'
import type { Instant } from '../instant.ts'
import type { Page, Position, Stretch } from '../page.ts'
import type { ConsentSource } from '../subscriptions/consent.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { SolvedChallenge } from './challenge-gate.ts'

/** One feed of a sign-up form. */
export interface AskedFeed {
  readonly feed: FeedName
  /** The wording that the form showed, as the ledger names it. */
  readonly wording: string
  readonly fields: FieldValues | undefined
}

/** A form that was read and found good. Nothing that is stored about its address was looked at. */
export interface SignUpRequest {
  readonly kind: 'sign-up'
  /** In the spelling that goes on the wire. */
  readonly email: string
  readonly addressKey: string
  readonly name: string
  readonly locale: string | undefined
  readonly source: ConsentSource
  /** At least one, each once, in the order of the form. */
  readonly feeds: readonly AskedFeed[]
  /** Whether the form named several feeds, or a list of one: its mail is about all of them together. */
  readonly together: boolean
}

/**
 * What the public may ask about an address. `preferences` and `manage` ask for the link to the preferences of an address,
 * or of that of a subscription; `move` for the mail to the new address of a move; `trap` is a form that is kept
 * without effect: it says nothing about a person.
 */
export type PublicRequest =
  | SignUpRequest
  | { readonly kind: 'preferences'; readonly addressKey: string }
  | { readonly kind: 'manage'; readonly subscription: SubscriptionId }
  | { readonly kind: 'move'; readonly subscription: SubscriptionId; readonly addressKey: string }
  | { readonly kind: 'trap'; readonly feed: FeedName | undefined; readonly because?: 'blocked-domain' | undefined }

/** A request as it is appended. */
export interface NewRequest {
  /** When it came. */
  readonly at: Instant
  /** The hash of the address that it is about, if its answer depends on one. */
  readonly address: AddressHash | undefined
  readonly asked: PublicRequest
  /** The trace that it belongs to, as in a `PendingMail`. */
  readonly traceContext?: string | undefined
}

/** A request that was answered with "accepted" and is not carried out yet. */
export interface WaitingRequest extends NewRequest {
  /** Given by the store: those that came later have larger ones. */
  readonly id: Position
  /** Since when it waits for a person, because it cannot be carried out. */
  readonly parkedAt: Instant | undefined
  /** Why; contains no address. */
  readonly error: string | undefined
}

/** Those that wait for their turn: neither parked, nor behind a parked one of their address. */
export interface Backlog {
  /** The ends of the queue; undefined if none waits. */
  readonly ends: { readonly oldest: Position; readonly newest: Position; readonly since: Instant } | undefined
  readonly parked: number
}

export interface RequestReader {
  /** Costs the same however many wait. */
  backlog(): Promise<Backlog>
  /** How many these are, counted up to 50,001. */
  count(): Promise<number>
  /** Those about an address, parked ones as well, oldest first. */
  ofAddress(address: AddressHash): Promise<readonly WaitingRequest[]>
  /** Parked ones as well, oldest first. */
  list(stretch: Stretch & { readonly parked?: boolean | undefined }): Promise<Page<WaitingRequest>>
}

/** Requests of the public that wait to be carried out, in the order in which they came. */
export interface RequestStore extends RequestReader {
  add(request: NewRequest): Promise<void>
  /**
   * Takes the turn to carry requests out, which one unit of work has at a time, and gives the oldest that wait for their
   * turn. They are carried out once they are removed in the same unit.
   */
  take(limit: number): Promise<readonly WaitingRequest[]>
  /** The same, of these addresses only; without waiting for the turn if nothing is asked about them. */
  takeOf(addresses: readonly AddressHash[]): Promise<readonly WaitingRequest[]>
  remove(ids: readonly Position[]): Promise<void>
  /** Removes all about the address, parked ones as well; how many. */
  removeOf(address: AddressHash): Promise<number>
  /** It waits for a person from now on, and so do later ones of its address. */
  park(id: Position, at: Instant, error: string): Promise<void>
  /** A parked one waits for its turn again; whether there is such a one. */
  retry(id: Position): Promise<boolean>
  /** Removes up to `limit` that were parked before `before`, and says how many. */
  prune(before: Instant, limit: number): Promise<number>
}

/** Where requests of the public come in. Nothing that is stored about an address is read here. */
export interface RequestInbox {
  /** The feed, as it was a second ago or later. */
  feed(name: FeedName): Promise<Feed | undefined>
  /**
   * Spends the challenge and appends the request; false if the challenge was spent before. Resolves once both are on
   * durable storage.
   * @throws {Unavailable}
   */
  append(request: NewRequest, challenge: SolvedChallenge | undefined): Promise<boolean>
}

/** What carries out requests of the public beside those that hand them in. */
export interface RequestWorker {
  /** Whether it is at work, in this process or another. While it is not, whoever hands one in carries it out. */
  isAtWork(): Promise<boolean>
  /** Resolves after a moment in which it may have done something. */
  moment(): Promise<void>
}
