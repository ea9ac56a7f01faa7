import type { Instant } from '../instant.ts'
import type { Digests } from '../platform/digests.ts'

/**
 * A seal on the trail up to a record. With the database but without the instance's secret, an attacker can make a chain
 * that verifies, or cut its end, but cannot make a seal.
 */
export interface AuditCheckpoint {
  /** The last record under the seal. */
  readonly sequence: number
  /** That record's. */
  readonly hash: string
  readonly at: Instant
  /** HMAC-SHA-256 over all of these, hexadecimal. */
  readonly seal: string
}

/** A seal is made after this many records, in the transaction of the record itself. */
export const SEAL_EVERY = 1_000

const sealOf = (digests: Digests, { sequence, hash, at }: Omit<AuditCheckpoint, 'seal'>): string =>
  digests.hmac('audit-checkpoint', `${sequence} ${hash} ${at}`)

type RecordHash = Pick<AuditCheckpoint, 'sequence' | 'hash'>

export const checkpointOf = (digests: Digests, { sequence, hash }: RecordHash, at: Instant): AuditCheckpoint => {
  const sealed = { sequence, hash, at }
  return { ...sealed, seal: sealOf(digests, sealed) }
}

export const isGenuine = (digests: Digests, checkpoint: AuditCheckpoint): boolean =>
  digests.equal(sealOf(digests, checkpoint), checkpoint.seal)

const TEXT = /^([1-9]\d{0,15})\.([0-9a-f]{64})\.(\d{1,16})\.([0-9a-f]{64})$/

/** As logged, so that a copy can be kept out of reach of those who can change the database. */
export const checkpointText = ({ sequence, hash, at, seal }: AuditCheckpoint): string =>
  `${sequence}.${hash}.${at}.${seal}`

/** Undefined where the text is not a checkpoint. */
export const readCheckpoint = (text: string): AuditCheckpoint | undefined => {
  const [, sequence, hash, at, seal] = TEXT.exec(text.trim()) ?? []
  if (hash === undefined || seal === undefined) return undefined
  return { sequence: Number(sequence), hash, at: Number(at), seal }
}
