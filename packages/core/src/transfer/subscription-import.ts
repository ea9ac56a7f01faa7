import type { Instant } from '../instant.ts'
import type { MessageIds } from '../outbox/message-ids.ts'
import type { PendingMail } from '../outbox/outbox-entry.ts'
import { pendingMail } from '../outbox/pending-mail.ts'
import { withdrawMail } from '../outbox/waiting-mail.ts'
import type { Randomness } from '../platform/randomness.ts'
import type { Stores } from '../storage/unit-of-work.ts'
import { type ConsentAction, type ConsentRecord, consentRecord } from '../subscriptions/consent.ts'
import type { Feed } from '../subscriptions/feed.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { ImportRow } from './import-row.ts'
import type { ImportVerdict } from './import-verdict.ts'
import { keptConsent } from './imported-consent.ts'

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
    const subscription: Subscription = {
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
      lastMail: undefined,
    }
    const lastMail = pending && mail ? await stores.outbox.add(this.#confirmation(row, subscription, now)) : undefined
    await stores.subscriptions.put({ ...subscription, lastMail })
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

  #confirmation({ hash }: ImportRow, { id, expiresAt }: Subscription, now: Instant): PendingMail {
    return pendingMail(this.#messageIds, { kind: 'confirmation', subscriptionId: id, address: hash, expiresAt }, now)
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
