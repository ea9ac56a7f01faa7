import type { Mail } from './mail.ts'

/** The relay will never accept this mail; do not try again. */
export class MailRefusedPermanently extends Error {
  override readonly name = 'MailRefusedPermanently'
}

/** Renders mails in the reader's language and hands them over. */
export interface MailTransport {
  /** The right side of Message-IDs: a name that is the service's own, never an IP address. */
  readonly domain: string
  /** Whether it keeps what it sent (as files), so that an erasure must ask it to forget. */
  readonly keepsMails: boolean
  /** How many mails it can usefully send at once. */
  readonly concurrency: number
  /**
   * Resolves once the other side has taken the mail (SMTP: 250 after the data; files: on disk under its name).
   * To the one recipient, whatever the mail says. Sending the same `messageId` again gives the same message.
   * @throws {MailRefusedPermanently} on a permanent refusal; anything else that it throws is worth another try
   */
  send(mail: Mail): Promise<void>
  /** Removes what it kept under these ids; nothing where it kept nothing. */
  forget(messageIds: readonly string[]): Promise<void>
  /** Idempotent. */
  close(): Promise<void>
}
