import type { Instant } from '../instant.ts'
import type { Digests } from '../platform/digests.ts'
import type { AuditSeal, SealedRecord } from './audit-store.ts'

const GENESIS = '0'.repeat(64)

// The order and the number of these never change: every seal ever made depends on them.
const textOf = (record: SealedRecord): string =>
  JSON.stringify([
    record.id,
    record.sequence,
    record.at,
    record.actor,
    record.roleSource,
    record.tokenId ?? null,
    record.channel,
    record.requestId ?? null,
    record.action,
    record.target ?? null,
    record.outcome,
    record.reason ?? null,
    record.count,
    record.rolesHash ?? null,
  ])

const hashOf = (digests: Digests, before: AuditSeal | undefined, records: readonly SealedRecord[]): string =>
  digests.sha256([before?.mac ?? GENESIS, ...records.map(textOf)].join('\n'))

const macOf = (digests: Digests, { first, last, hash, at }: Omit<AuditSeal, 'mac'>): string =>
  digests.hmac('audit-seal', `${first} ${last} ${hash} ${at}`)

/**
 * The seal on these records, of which there is at least one, and which follow those under the seal before: its hash has
 * the seal before in it, which makes the chain. The records get their numbers in `sealer.ts`.
 */
export const sealOn = (
  digests: Digests,
  before: AuditSeal | undefined,
  records: readonly SealedRecord[],
  at: Instant,
): AuditSeal => {
  const first = (before?.last ?? 0) + 1
  const sealed = { first, last: first + records.length - 1, hash: hashOf(digests, before, records), at }
  return { ...sealed, mac: macOf(digests, sealed) }
}

/** Whether the seal was made with the secret. */
export const isGenuine = (digests: Digests, seal: AuditSeal): boolean => digests.equal(macOf(digests, seal), seal.mac)

/** Whether these are the records that the seal was made on, after the seal before. */
export const isOn = (
  digests: Digests,
  seal: AuditSeal,
  before: AuditSeal | undefined,
  records: readonly SealedRecord[],
): boolean => seal.first === (before?.last ?? 0) + 1 && hashOf(digests, before, records) === seal.hash

const TEXT = /^([1-9]\d{0,15})-([1-9]\d{0,15})\.([0-9a-f]{64})\.(\d{1,16})\.([0-9a-f]{64})$/

/** As logged, so that a copy can be kept out of reach of those who can change the database. */
export const sealText = ({ first, last, hash, at, mac }: AuditSeal): string => `${first}-${last}.${hash}.${at}.${mac}`

/** Undefined if the text is not a seal. */
export const readSeal = (text: string): AuditSeal | undefined => {
  const [, first, last, hash, at, mac] = TEXT.exec(text.trim()) ?? []
  if (hash === undefined || mac === undefined) return undefined
  return { first: Number(first), last: Number(last), hash, at: Number(at), mac }
}
