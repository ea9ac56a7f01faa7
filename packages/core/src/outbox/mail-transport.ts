import type { FeedLogo } from '../face/feed-logo.ts'
import type { Feed } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import type { MailKind } from './outbox-store.ts'

/**
 * A mail as facts; the transport finds the words. Holds nothing that a stranger submitted but the address itself: a
 * sign-up form must not become a way to send one's own text to others.
 */
export interface Mail {
  readonly kind: MailKind
  /** The Message-ID without its brackets. */
  readonly messageId: string
  /** Where the mail comes back to if it cannot be delivered: the envelope's sender; by default that of all mails. */
  readonly returnTo?: string | undefined
  /** Local part as submitted, domain as A-labels; nothing else is ever put into the envelope. */
  readonly to: string
  readonly feed: Feed
  /** The logo of `feed`, if it has one. */
  readonly logo?: FeedLogo | undefined
  /** All feeds of a form that asked for several, in its order; `feed` is one of them. */
  readonly feeds?: readonly Feed[] | undefined
  /** Until when its links are good; undefined if they are for as long as the subscription, or for a time that it says itself. */
  readonly expiresAt?: Instant | undefined
  /** The reader's language tag, if known. */
  readonly locale: string | undefined
  readonly links: MailLinks
  /** As the outbox has it; not a part of the message. */
  readonly traceContext?: string | undefined
}

export interface MailLinks {
  /** In a confirmation only, as is `refuse`. */
  readonly confirm: string | undefined
  readonly refuse: string | undefined
  /** In a mail about preferences. In one that says that several feeds are subscribed: where its owner asks for that one. */
  readonly preferences: string | undefined
  /** Only in a mail to a new address, and in one to the old address. */
  readonly move?: string | undefined
  readonly undo?: string | undefined
  /** Of the subscription to `feed`. Not in a mail to a new address: its reader may be a stranger. */
  readonly unsubscribe: string | undefined
}

/** The relay will never accept this mail; do not try again. */
export class MailRefusedPermanently extends Error {
  override readonly name = 'MailRefusedPermanently'
  /** The enhanced status code (RFC 3463) of a refusal of the recipient itself, such as `5.1.1`. */
  readonly recipientStatus: string | undefined

  constructor(
    message: string,
    { recipientStatus, ...options }: ErrorOptions & { recipientStatus?: string | undefined } = {},
  ) {
    super(message, options)
    this.recipientStatus = recipientStatus
  }
}

/**
 * The other side got the whole mail and has not said whether it takes it, so it may have been delivered: another try may
 * be a copy. Everything else that a transport throws means that it was not delivered.
 */
export class MailUnanswered extends Error {
  override readonly name = 'MailUnanswered'
}

/** It was not due any more when it could have begun: nothing of it was sent. */
export class MailWithdrawn extends Error {
  override readonly name = 'MailWithdrawn'

  constructor() {
    super('The mail was withdrawn before it was begun.')
  }
}

/** A mail as its reader sees it, and as it would go over the wire. */
export interface ShownMail {
  readonly subject: string
  readonly text: string
  /** A whole document that loads nothing: what is a part of the message is in it. */
  readonly html: string
  readonly message: Uint8Array
}

/** Renders mails in the reader's language and hands them over. */
export interface MailTransport {
  /** The right side of Message-IDs: a name that is the service's own, never an IP address. */
  readonly domain: string
  /**
   * Whether it keeps what it sent (as files). What is sent again takes the place of what it kept: there is never a copy.
   * An erasure asks every transport to forget: this one what it keeps, any other what it has not begun.
   */
  readonly keepsMails: boolean
  /** How many mails it can usefully send at once. */
  readonly concurrency: number
  /**
   * Resolves once the other side has taken the mail (SMTP: 250 after the data; files: on disk under its name).
   * To the one recipient, whatever the mail says. Sending the same `messageId` again gives the same message.
   *
   * `isDue` is asked when everything is ready (a connection is open, say) and nothing of the mail was sent: its person may
   * have been erased by then. Without it the mail is due.
   * @throws {MailWithdrawn} it is not due any more
   * @throws {MailRefusedPermanently} on a permanent refusal
   * @throws {MailUnanswered} it may have been delivered: it is tried again as late as the caps of its address demand
   * @throws anything else if it was not delivered, and another try may help
   */
  send(mail: Mail, isDue?: () => Promise<boolean>): Promise<void>
  /** The mail as it would be sent, without sending it; absent if the other side finds the words. */
  show?(mail: Mail): Promise<ShownMail>
  /**
   * Removes what it kept under these ids, and begins none of these mails that it asked about: one that it is sending is
   * waited for, but not for long. The erasure is done by then: what it throws reaches nobody, so it reports its own
   * troubles, and tries again by itself.
   */
  forget(messageIds: readonly string[]): Promise<void>
  /** Idempotent. What is under way is broken off, and `send` says what is known of it. */
  close(): Promise<void>
}
