import type { Instant } from '../instant.ts'
import { type MessageIds, queueMail, withdrawMail } from '../outbox/pending-mail.ts'
import type { Randomness } from '../platform/randomness.ts'
import type { Stores } from '../storage/unit-of-work.ts'
import { type ConsentAction, type ConsentRecord, consentRecord } from '../subscriptions/consent.ts'
import type { Feed, FeedName } from '../subscriptions/feed.ts'
import { isExpired, type Subscription, type SubscriptionId } from '../subscriptions/subscription.ts'
import type { SubscriptionReader } from '../subscriptions/subscription-store.ts'
import type { SuppressionReader } from '../subscriptions/suppression-store.ts'
import type { RefusedRow } from './import-report.ts'
import type { ImportRow } from './import-row.ts'
import { keptConsent } from './imported-consent.ts'

/** What to do with a row, given what is stored. */
export type ImportVerdict =
  | { readonly kind: 'refused'; readonly refusal: RefusedRow }
  | { readonly kind: 'unchanged' }
  /** `old` is pending, and its links have expired: it counts as not there. */
  | { readonly kind: 'begin'; readonly id: SubscriptionId; readonly feed: Feed; readonly old: Subscription | undefined }
  | { readonly kind: 'confirm'; readonly current: Subscription; readonly feed: Feed }

export interface ImportLookups {
  readonly feed: (name: FeedName) => Promise<Feed | undefined>
  readonly subscriptions: Pick<SubscriptionReader, 'locate'>
  readonly suppressions: Pick<SuppressionReader, 'find'>
}

const UNCHANGED: ImportVerdict = { kind: 'unchanged' }

/** A file never brings back a person who has left or asked never to be mailed; a confirmation by the person prevails. */
export const importVerdict = async (row: ImportRow, lookups: ImportLookups, now: Instant): Promise<ImportVerdict> => {
  const feed = await lookups.feed(row.identity.feed)
  if (feed === undefined || feed.deletingSince !== undefined) return refused(row, 'FeedNotFound')
  if ((await lookups.suppressions.find(row.hash)) !== undefined) return refused(row, 'Suppressed')
  const { id, subscription } = await lookups.subscriptions.locate(row.identity)
  if (subscription === undefined || isExpired(subscription, now)) return { kind: 'begin', id, feed, old: subscription }
  return subscription.status === 'pending' && row.status === 'confirmed'
    ? { kind: 'confirm', current: subscription, feed }
    : UNCHANGED
}

const MESSAGES = {
  FeedNotFound: 'There is no such feed. Create it first, or correct the name.',
  Suppressed: 'The owner of this address refused, or said never again. Leave it out; only its owner can come back.',
} as const

const refused = ({ line }: ImportRow, error: keyof typeof MESSAGES): ImportVerdict => ({
  kind: 'refused',
  refusal: { line, error, message: MESSAGES[error] },
})

type Verdict<Kind extends ImportVerdict['kind']> = Extract<ImportVerdict, { readonly kind: Kind }>

/** Stores a row, within a unit of work. */
export class SubscriptionImport {
  readonly #randomness: Randomness
  readonly #messageIds: MessageIds
  readonly #linkLife: number

  constructor(ports: { randomness: Randomness; messageIds: MessageIds; linkLife: number }) {
    this.#randomness = ports.randomness
    this.#messageIds = ports.messageIds
    this.#linkLife = ports.linkLife
  }

  /** A subscription that was not there; `mail` asks its owner to confirm, where that is still to be done. */
  async begin(
    stores: Stores,
    row: ImportRow,
    { id, feed, old }: Verdict<'begin'>,
    { now, mail }: { readonly now: Instant; readonly mail: boolean },
  ): Promise<void> {
    if (old) await withdrawMail(stores.outbox, old)
    const { status, address, name, locale, identity } = row
    const pending = status === 'pending'
    const expiresAt = pending ? now + this.#linkLife : undefined
    const occasion = { kind: 'confirmation', subscriptionId: id, address: row.hash, expiresAt } as const
    const lastMail = pending && mail ? await queueMail(stores.outbox, this.#messageIds, occasion, now) : undefined
    await stores.subscriptions.put({
      id,
      feed: identity.feed,
      email: address.value,
      addressKey: address.key,
      name,
      locale,
      status,
      episode: this.#randomness.hex(8),
      createdAt: row.createdAt ?? row.confirmedAt ?? row.endedAt ?? now,
      confirmedAt: pending ? undefined : row.confirmedAt,
      endedAt: status === 'ended' ? (row.endedAt ?? now) : undefined,
      expiresAt,
      lastMail,
    })
    for (const record of ledgerOf(row, feed, now)) await stores.consents.append(id, record)
    await stores.events.append({ type: `subscription.${status}`, subject: String(id), at: now })
  }

  /** A pending subscription was confirmed elsewhere, and this is the evidence. */
  async confirm(stores: Stores, row: ImportRow, { current, feed }: Verdict<'confirm'>, now: Instant): Promise<void> {
    await withdrawMail(stores.outbox, current)
    const confirmedAt = row.confirmedAt ?? now
    await stores.subscriptions.put({ ...current, status: 'confirmed', confirmedAt, expiresAt: undefined })
    for (const record of ledgerOf(row, feed, now)) await stores.consents.append(current.id, record)
    await stores.events.append({ type: 'subscription.confirmed', subject: String(current.id), at: now })
  }
}

const SOURCE = { via: 'import', clientAddress: undefined, userAgent: undefined }

const ledgerOf = (row: ImportRow, feed: Feed, now: Instant): readonly ConsentRecord[] => {
  const { consent, status, confirmedAt, endedAt, createdAt, locale: language } = row
  if (consent.kind === 'ledger') return consent.entries.map((entry) => keptConsent(entry, feed))
  const wording = consent.kind === 'text' ? consent.text : ''
  const record = (action: ConsentAction, at: Instant, words: string): ConsentRecord =>
    consentRecord({ deed: action, at, source: SOURCE, language, wording: words })
  if (status === 'pending') return [record('requested', createdAt ?? now, wording)]
  const agreed = confirmedAt === undefined ? [] : [record('confirmed', confirmedAt, wording)]
  if (status === 'confirmed') return agreed
  return [...agreed, record('ended', endedAt ?? now, agreed.length === 0 ? wording : '')]
}
