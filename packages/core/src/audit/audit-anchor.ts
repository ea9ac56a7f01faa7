/**
 * Keeps the newest seal apart from the stores: a person who can change the database alone cannot take it back. It may be
 * older than the trail, such as when another instance has one of its own; it is never newer.
 */
export interface AuditAnchor {
  /** What was written last; undefined if nothing was. */
  read(): Promise<string | undefined>
  /** Replaces it durably. A read gets the old text or the new one as a whole, also after a loss of power. */
  write(text: string): Promise<void>
}
