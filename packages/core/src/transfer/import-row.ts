import type { Dependencies } from '../dependencies.ts'
import { InvalidInput } from '../errors.ts'
import { DEFAULT_FEED, parseKnownFeedName } from '../feeds/feed.ts'
import { FIELD_PREFIX, type SubmittedFields } from '../feeds/feed-fields.ts'
import type { Instant } from '../instant.ts'
import { readAll } from '../read-all.ts'
import { type EmailAddress, parseEmailAddress } from '../subscriptions/email-address.ts'
import { asLocale, parseLocale } from '../subscriptions/locale.ts'
import type { SubscriptionStatus } from '../subscriptions/subscription.ts'
import { type SubscriptionIdentity, subscriptionIdentity } from '../subscriptions/subscription-id.ts'
import { type MailboxHashes, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import { parsePersonName, withoutMargins } from '../text.ts'
import { REMOVE_APOSTROPHE } from './csv.ts'
import { parseFileTime } from './file-time.ts'
import { type ConsentEvidence, parseConsent } from './imported-consent.ts'
import type { FileRow } from './record-formats.ts'
import { valueSense } from './speaks-of-leaving.ts'
import type { StatusReading } from './status-reading.ts'
import { ifReadable, type UnreadValue, withoutNothings, withValue } from './unread-values.ts'
import { argument, shown } from './unused-columns.ts'

/** Every field of a row that means something. */
export const IMPORT_FIELDS = [
  'email',
  'name',
  'feed',
  'locale',
  'status',
  'created_at',
  'confirmed_at',
  'ended_at',
  'consent',
] as const

export type ImportField = (typeof IMPORT_FIELDS)[number]

/** A row that was read and found good. */
export interface ImportRow {
  readonly line: number
  readonly address: EmailAddress
  readonly hashes: MailboxHashes
  readonly identity: SubscriptionIdentity
  readonly name: string
  readonly locale: string | undefined
  /** The status to import it with: confirmed only with evidence. */
  readonly status: SubscriptionStatus
  readonly createdAt: Instant | undefined
  readonly confirmedAt: Instant | undefined
  readonly endedAt: Instant | undefined
  readonly consent: ConsentEvidence
  /** What it gives for the fields of its feed, by their names; whether the feed has them is not known yet. */
  readonly fields: SubmittedFields
  /** Optional values that could not be read, and are left out. */
  readonly unread: readonly UnreadValue[]
}

interface Means extends Pick<Dependencies, 'clock' | 'digests' | 'domainNames'> {
  readonly statuses: StatusReading
}

/** @throws {InvalidInput} with all problems of the row */
export const importRow = (file: FileRow, { statuses, clock, digests, domainNames }: Means): ImportRow => {
  const now = clock.now()
  const { row, unread } = withoutNothings(file)
  const text = (field: ImportField): string => textOf(row, field)
  const time = (field: ImportField) => parseFileTime(text(field), field, now)
  // Of one who has left, they only say when.
  const decisive = (field: 'confirmed_at' | 'ended_at') =>
    saysEnded(row, statuses)
      ? ifReadable(row, field, unread, () => time(field))
      : withValue(text(field), () => time(field))
  const {
    address,
    feed,
    status: given,
    ...rest
  } = readAll({
    address: () => parseEmailAddress(identifierOf(row, 'email'), domainNames),
    name: () => parsePersonName(textOf(row, 'name', false)),
    feed: () => parseKnownFeedName(text('feed') || DEFAULT_FEED),
    locale: () =>
      ifReadable(row, 'locale', unread, () => parseLocale(asLocale(text('locale')) ?? text('locale'), 'locale')),
    status: () => statuses.read(text('status')),
    createdAt: () => ifReadable(row, 'created_at', unread, () => time('created_at')),
    confirmedAt: () => decisive('confirmed_at'),
    endedAt: () => decisive('ended_at'),
    consent: () => consentOf(file, row, statuses, now),
  })
  requireOneEnd(given, rest.endedAt)
  return {
    ...rest,
    unread,
    fields: fieldsOf(row),
    line: row.line,
    address,
    hashes: mailboxHashes(digests, address.key),
    identity: subscriptionIdentity(digests, feed, address.key),
    status: statusOf(given, rest),
  }
}

const saysEnded = (row: FileRow, statuses: StatusReading): boolean => {
  try {
    return statuses.read(textOf(row, 'status')) === 'ended'
  } catch (error) {
    if (error instanceof InvalidInput) return false
    throw error
  }
}

/**
 * Elsewhere a column of this name often says whether somebody agreed, and not how.
 * @throws {InvalidInput} this one did not, or does not any more
 */
const consentOf = (file: FileRow, row: FileRow, statuses: StatusReading, now: Instant): ConsentEvidence => {
  const said = file.fields.consent
  // A ledger, or a whole sentence, may have such words in it.
  const isNone = typeof said === 'string' && valueSense(said.replaceAll(/[,;|]/g, ' '), 'part') === 'left'
  if (!isNone || saysEnded(row, statuses)) return parseConsent(row.fields.consent, now)
  const message = `${shown(said)} speaks of leaving. Say what it means: --map status=COLUMN --status ${argument(said, 'VALUE')}=ended (or pending, or confirmed); or ignore the column: --ignore COLUMN.`
  throw new InvalidInput([{ field: 'consent', message }])
}

/** An export has them in one object, or each in a column of its own. */
const fieldsOf = ({ fields }: FileRow): SubmittedFields => {
  const { fields: together } = fields
  const found: Record<string, unknown> = {}
  if (typeof together === 'object' && together !== null) Object.assign(found, together)
  for (const [name, value] of Object.entries(fields))
    if (name.startsWith(FIELD_PREFIX)) found[name.slice(FIELD_PREFIX.length)] = value
  return found
}

/** @throws {InvalidInput} it is no text */
export const textOf = ({ fields }: FileRow, field: string, trimmed = true): string => {
  const value = fields[field]
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return trimmed ? withoutMargins(value) : value
  throw new InvalidInput([{ field, message: 'Give a text.' }])
}

/**
 * The text by which somebody is known. With an apostrophe too many or too few it would be another person's, and confirmed.
 * @throws {InvalidInput} it is no text, or it may have been another one
 */
export const identifierOf = (row: FileRow, field: string): string => {
  if (row.disguised?.includes(field)) throw new InvalidInput([{ field, message: `${REMOVE_APOSTROPHE} use NDJSON.` }])
  return textOf(row, field)
}

/** Taken for pending, a person would be mailed who left. */
const requireOneEnd = (given: SubscriptionStatus | undefined, endedAt: Instant | undefined): void => {
  if (endedAt === undefined || given === undefined || given === 'ended') return
  const message = `The row has ended, and its status says ${given}. Correct one of them, or leave one out.`
  throw new InvalidInput([{ field: 'ended_at', message }])
}

const statusOf = (
  given: SubscriptionStatus | undefined,
  { confirmedAt, endedAt, consent }: Pick<ImportRow, 'confirmedAt' | 'endedAt' | 'consent'>,
): SubscriptionStatus => {
  if (given === 'pending') return 'pending'
  if (given === 'ended' || (given === undefined && endedAt !== undefined)) return 'ended'
  return confirmedAt !== undefined && isEvidence(consent) ? 'confirmed' : 'pending'
}

const isEvidence = (consent: ConsentEvidence): boolean =>
  consent.kind === 'text' ||
  (consent.kind === 'ledger' && consent.entries.some(({ deed }) => deed === 'confirmed' || deed === 'moved'))
