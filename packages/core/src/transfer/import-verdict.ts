import type { Dependencies } from '../dependencies.ts'
import { subscriptionEvent } from '../events/event-store.ts'
import { type Feed, type FeedName, noteStoredFields } from '../feeds/feed.ts'
import { declaredFields, type FieldValues, limitFieldValues, readFieldValues } from '../feeds/feed-fields.ts'
import type { Instant } from '../instant.ts'
import type { MoveReader } from '../moves/move-store.ts'
import { queueMail, withdrawMail } from '../outbox/pending-mail.ts'
import {
  type ConsentAction,
  type ConsentRecord,
  type ConsentStore,
  consentRecord,
  lastEndIn,
} from '../subscriptions/consent.ts'
import {
  asConfirmed,
  asEnded,
  asPending,
  isExpired,
  type Subscription,
  type SubscriptionReader,
} from '../subscriptions/subscription.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import { findSuppression } from '../suppressions/mailbox-hashes.ts'
import type { SuppressionReader } from '../suppressions/suppression-store.ts'
import type { Stores } from '../unit-of-work.ts'
import { invalidRow, type RefusedRow } from './import-report.ts'
import type { ImportRow } from './import-row.ts'
import { keptConsent } from './imported-consent.ts'

/** What to do with a row, given what is stored. */
export type ImportVerdict =
  | { readonly kind: 'refused'; readonly refusal: RefusedRow }
  | { readonly kind: 'unchanged' }
  | UpdateVerdict
  | GoodVerdict

/** `old` is to be confirmed or to end; or it is pending, and its links have expired: then it counts as not there. */
export interface GoodVerdict {
  readonly kind: 'good'
  readonly row: ImportRow
  readonly id: SubscriptionId
  readonly feed: Feed
  /** What the row gives for its fields. */
  readonly fields: FieldValues | undefined
  readonly old: Subscription | undefined
  readonly does: 'begin' | 'confirm' | 'end'
}

/** What is there gets a name or fields of the row, and stays as it is in all else. */
export interface UpdateVerdict {
  readonly kind: 'updated'
  readonly id: SubscriptionId
  readonly feed: Feed
  readonly subscription: Subscription
}

/** What of a subscription that is there may come from a file: never its status. */
export const UPDATABLE = ['name', 'fields'] as const

export type Updatable = (typeof UPDATABLE)[number]

export interface ImportLookups {
  readonly feed: (name: FeedName) => Promise<Feed | undefined>
  readonly subscriptions: Pick<SubscriptionReader, 'locate'>
  readonly suppressions: Pick<SuppressionReader, 'findMany'>
  readonly moves: Pick<MoveReader, 'movedFrom'>
  readonly ledgers: Pick<ConsentStore, 'list'>
  readonly now: Instant
  readonly update: readonly Updatable[]
}

/**
 * A file never brings back a person who has left or asked never to be mailed; a confirmation by the person prevails. Who has
 * left elsewhere leaves here as well, unless there is more than what files have said.
 */
export const importVerdict = async (row: ImportRow, lookups: ImportLookups): Promise<ImportVerdict> => {
  const feed = await lookups.feed(row.identity.feed)
  if (feed === undefined || feed.deletingSince !== undefined) return refused(row, 'FeedNotFound')
  const fields = fieldsOf(row, feed)
  if ('error' in fields) return { kind: 'refused', refusal: fields }
  if ((await findSuppression(lookups.suppressions, row.hashes)) !== undefined) return refused(row, 'Suppressed')
  const { id, subscription: old } = await lookups.subscriptions.locate(row.identity)
  const ledger = () => lookups.ledgers.list(id)
  const hasLeft = async () => lastEndIn(await ledger()) !== undefined
  if (old === undefined || isExpired(old, lookups.now)) {
    if (old !== undefined && (await hasLeft())) return { kind: 'unchanged' }
    return { kind: 'good', row, id, feed, fields: fields.values, old, does: 'begin' }
  }
  if (
    row.status === 'ended' &&
    isLater(row, old, lookups.now) &&
    (await ledger()).every(({ via }) => via === SOURCE.via)
  )
    return { kind: 'good', row, id, feed, fields: undefined, old, does: 'end' }
  // A form that somebody, anybody, has sent since does not make up for it that the owner left.
  const confirms = old.status === 'pending' && row.status === 'confirmed' && !(await hasLeft())
  // Nor has anybody shown who sent the form of one that is pending: what the file says comes first.
  const subscription = updated(old, row, fields.values, confirms ? UPDATABLE : lookups.update)
  if ('error' in subscription) return { kind: 'refused', refusal: subscription }
  if (confirms) return { kind: 'good', row, id, feed, fields: fields.values, old: subscription, does: 'confirm' }
  return subscription === old ? { kind: 'unchanged' } : { kind: 'updated', id, feed, subscription }
}

/** An end of before the consent that is here says nothing of it. */
const isLater = ({ endedAt }: ImportRow, { status, confirmedAt = 0 }: Subscription, now: Instant): boolean =>
  status !== 'ended' && (endedAt ?? now) >= confirmedAt

/** The verdicts, without those that would bring back a subscription that its owner took to another address. */
export const withoutMoved = async (
  verdicts: readonly ImportVerdict[],
  { moves }: Pick<ImportLookups, 'moves'>,
): Promise<readonly ImportVerdict[]> => {
  const begun = verdicts.flatMap((verdict) => (verdict.kind === 'good' ? [verdict.id] : []))
  const moved = new Set((await moves.movedFrom(begun)).map(({ oldId }) => oldId))
  return verdicts.map((one) => (one.kind === 'good' && moved.has(one.id) ? { kind: 'unchanged' } : one))
}

/** The same one if the row changes nothing of it. What it leaves empty erases nothing. */
const updated = (
  old: Subscription,
  row: ImportRow,
  values: FieldValues | undefined,
  update: readonly Updatable[],
): Subscription | RefusedRow => {
  if (old.status === 'ended' || row.status === 'ended') return old
  const name = update.includes('name') && row.name !== '' ? row.name : old.name
  const given = update.includes('fields') ? Object.entries(values ?? {}) : []
  const isSame = name === old.name && given.every(([field, value]) => old.fields?.[field] === value)
  if (isSame) return old
  const fields = given.length === 0 ? old.fields : { ...old.fields, ...values }
  try {
    limitFieldValues([fields])
    return { ...old, name, fields }
  } catch (error) {
    return invalidRow(row.line, error)
  }
}

/** What the row gives for the fields of its feed, or why it is refused. */
const fieldsOf = (row: ImportRow, feed: Feed): { readonly values: FieldValues | undefined } | RefusedRow => {
  try {
    const values = readFieldValues(declaredFields(feed), row.fields, { required: false })
    limitFieldValues([values])
    return { values }
  } catch (error) {
    return invalidRow(row.line, error)
  }
}

const MESSAGES = {
  FeedNotFound: 'There is no such feed. Create it first, or correct the name.',
  Suppressed:
    'The owner of this address refused, or said never again, or mail to it is blocked. Leave it out; only its owner can come back.',
} as const

const refused = ({ line }: ImportRow, error: keyof typeof MESSAGES): ImportVerdict => ({
  kind: 'refused',
  refusal: { line, error, message: MESSAGES[error] },
})

interface Means extends Pick<Dependencies, 'linkLife' | 'randomness' | 'transport'> {
  readonly now: Instant
  /** Whether the owner of a subscription that is new and pending is asked to confirm. */
  readonly mail: boolean
  readonly update: readonly Updatable[]
}

/** Stores what a row changes of one that is there, within a unit of work. */
export const storeUpdate = async (
  stores: Stores,
  { feed, subscription }: UpdateVerdict,
  now: Instant,
): Promise<void> => {
  await noteStoredFields(stores, feed, subscription.fields)
  await stores.subscriptions.put(subscription)
  if (subscription.status === 'confirmed')
    await stores.events.append(subscriptionEvent('subscription.updated', subscription, now))
}

/** Stores a row, within a unit of work. Returns what became of it. */
export const storeRow = async (stores: Stores, verdict: GoodVerdict, means: Means): Promise<Subscription> => {
  const { row, id, feed, fields, old, does } = verdict
  const { now } = means
  await noteStoredFields(stores, feed, fields)
  if (old) await withdrawMail(stores, old)
  const subscription =
    old && does !== 'begin' ? changed(old, does, row, means) : await newSubscription(stores, verdict, means)
  await stores.subscriptions.put(subscription)
  const ledger = does === 'end' ? [recordOf(row, 'ended', row.endedAt ?? now, '')] : ledgerOf(row, feed, now)
  for (const record of ledger) await stores.consents.append(id, record)
  // A reader who goes is counted among those who go; what is imported as ended never was one here.
  const because = does === 'end' && old?.status === 'confirmed' ? 'by-caller' : 'imported'
  await stores.events.append(subscriptionEvent(`subscription.${subscription.status}`, subscription, now, because))
  return subscription
}

const changed = (
  old: Subscription,
  does: 'confirm' | 'end',
  { confirmedAt, endedAt }: ImportRow,
  { now, randomness }: Means,
): Subscription =>
  does === 'confirm' ? asConfirmed(old, confirmedAt ?? now) : asEnded(old, endedAt ?? now, randomness.hex(8))

const newSubscription = async (
  { outbox }: Stores,
  { row, id, fields, old }: GoodVerdict,
  means: Means,
): Promise<Subscription> => {
  const { status, address, name, locale, identity, confirmedAt, endedAt } = row
  const { now, linkLife, randomness } = means
  const expiresAt = now + linkLife
  const occasion = { kind: 'confirmation', subscriptionId: id, address: row.hashes.address, expiresAt } as const
  const isAsked = status === 'pending' && means.mail
  const beginning = {
    id,
    feed: identity.feed,
    email: address.value,
    addressKey: address.key,
    address: row.hashes.address,
    name,
    locale,
    episode: randomness.hex(8),
    createdAt: row.createdAt ?? confirmedAt ?? endedAt ?? now,
    lastMail: isAsked ? await queueMail(outbox, means, occasion, now) : undefined,
    preferencesMail: old?.preferencesMail,
    fields,
  }
  const pending = asPending(beginning, expiresAt)
  if (status === 'pending') return pending
  const agreed = confirmedAt === undefined ? pending : asConfirmed(pending, confirmedAt)
  return status === 'confirmed' ? agreed : asEnded(agreed, endedAt ?? now, agreed.episode)
}

const SOURCE = { via: 'import', clientAddress: undefined, userAgent: undefined }

const recordOf = ({ locale: language }: ImportRow, deed: ConsentAction, at: Instant, wording: string): ConsentRecord =>
  consentRecord({ deed, at, source: SOURCE, language, wording })

const ledgerOf = (row: ImportRow, feed: Feed, now: Instant): readonly ConsentRecord[] => {
  const { consent, status, confirmedAt, endedAt, createdAt } = row
  if (consent.kind === 'ledger') return consent.entries.map((entry) => keptConsent(entry, feed))
  const wording = consent.kind === 'text' ? consent.text : ''
  if (status === 'pending') return [recordOf(row, 'requested', createdAt ?? now, wording)]
  const agreed = confirmedAt === undefined ? [] : [recordOf(row, 'confirmed', confirmedAt, wording)]
  if (status === 'confirmed') return agreed
  return [...agreed, recordOf(row, 'ended', endedAt ?? now, agreed.length === 0 ? wording : '')]
}
