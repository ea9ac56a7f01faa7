/** What became of the messages of one round. */
export interface MailboxRound {
  /** Were understood, and moved aside. */
  readonly taken: number
  /** Stay where they are, and are not looked at again by this process. */
  readonly left: number
  readonly more: boolean
}

export interface ReportMailbox {
  /**
   * Goes through the messages that came since the last round, the oldest first, and moves aside those that are taken. One that
   * was taken may come again if it could not be moved.
   */
  read(take: (message: Uint8Array) => Promise<boolean>): Promise<MailboxRound>
  /** Breaks off what is under way; nothing that was taken is lost. */
  close(): void
}
