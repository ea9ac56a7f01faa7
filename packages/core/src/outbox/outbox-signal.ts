/** Notifies the outbox worker that there is something to send. A lost notification costs time, never a mail. */
export interface OutboxSignal {
  notify(): void
}
