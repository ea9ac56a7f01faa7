/** Tells whoever works the outbox that there is something in it. Missing a ring costs time, never a mail. */
export interface OutboxSignal {
  notify(): void
}
