import type { AuditAction } from '../access/access-control.ts'
import type { Channel, RoleSource } from '../access/caller.ts'
import { OUTCOMES } from '../errors.ts'
import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'

/** The outcome of what was not refused. */
export const DONE = 'done'
/** `done`, and the names of the errors that refuse. */
export const AUDIT_OUTCOMES: readonly string[] = [DONE, ...Object.keys(OUTCOMES)]

/** One change, or refusal, of a caller. Ids only: no name, no address, ever. */
export interface AuditEntry {
  readonly at: Instant
  readonly actor: string
  readonly roleSource: RoleSource
  readonly tokenId: string | undefined
  readonly channel: Channel
  readonly requestId: string | undefined
  readonly action: AuditAction
  readonly target: string | undefined
  /** One of {@link AUDIT_OUTCOMES}. */
  readonly outcome: string
  readonly reason: string | undefined
  /** How many similar refusals this record stands for. */
  readonly count: number
  /** A keyed hash of the roles that the user has from then on, if the record is about that. */
  readonly rolesHash: string | undefined
}

/** An entry as it is stored. */
export interface AuditRecord extends AuditEntry {
  /** Its own, from the first: greater than that of every record that was there when it was written. May have gaps. */
  readonly id: number
  /** Its place in the trail; undefined until it is sealed. */
  readonly sequence: number | undefined
}

/** A record in its place, which never changes. */
export interface SealedRecord extends AuditRecord {
  /** 1 for the first, without gaps. */
  readonly sequence: number
}

/**
 * What one beat of the sealer has put under lock and key: the records from `first` to `last`, and by way of the seal
 * before it all that came earlier. With the database but without the instance's secret, an attacker can make records that
 * agree with one another, or cut their end, but cannot make a seal.
 */
export interface AuditSeal {
  readonly first: number
  readonly last: number
  /** SHA-256 over the seal before and these records, hexadecimal. */
  readonly hash: string
  readonly at: Instant
  /** HMAC-SHA-256 over all of these, hexadecimal. */
  readonly mac: string
}

export interface AuditReader {
  /** What is sealed, oldest first; a record's position is its sequence number. */
  list(stretch: Stretch): Promise<Page<SealedRecord>>
  /** What is not sealed yet, in the order in which it will be; a record's position is its id. */
  unsealed(stretch: Stretch): Promise<Page<AuditRecord>>
  find(id: number): Promise<AuditRecord | undefined>
  /** In the order of their records; a seal's position is that of its last record. */
  seals(stretch: Stretch): Promise<Page<AuditSeal>>
  /** A copy of the newest seal, stored separately, so that the loss of all seals is noticed. */
  head(): Promise<AuditSeal | undefined>
}

/** Append-only: a record gets its number, once, and there is no other way to change or remove it. */
export interface AuditStore extends AuditReader {
  /**
   * Waits for nobody; the id of the new record. To be called once the unit has looked at what the record is about, so that
   * records about one thing have ids in the order of its changes.
   */
  append(entry: AuditEntry): Promise<number>
  /** Takes the turn to seal: until the unit ends no other unit does. What is unsealed is to be looked for afterwards. */
  newestSeal(): Promise<AuditSeal | undefined>
  /**
   * Gives the records with these ids their numbers, from `first` to `last` in this order, and makes the seal the newest.
   * Throws, and so undoes its unit, unless it follows the last one and none of the records has a number.
   */
  seal(seal: AuditSeal, ids: readonly number[]): Promise<void>
}
