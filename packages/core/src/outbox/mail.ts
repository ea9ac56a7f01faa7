import type { Feed } from '../subscriptions/feed.ts'
import type { MailKind } from './outbox-entry.ts'

/**
 * A mail as facts; the transport finds the words. Holds nothing that a stranger submitted but the address itself: a
 * sign-up form must not become a way to send one's own text to others.
 */
export interface Mail {
  readonly kind: MailKind
  /** The Message-ID without its brackets. */
  readonly messageId: string
  /** Local part as submitted, domain as A-labels; nothing else is ever put into the envelope. */
  readonly to: string
  readonly feed: Feed
  /** The reader's language tag, if known. */
  readonly locale: string | undefined
  readonly links: MailLinks
}

export interface MailLinks {
  /** In a confirmation only, as is `refuse`. */
  readonly confirm: string | undefined
  readonly refuse: string | undefined
  /** Only in a mail about preferences. */
  readonly preferences: string | undefined
  readonly unsubscribe: string
}
