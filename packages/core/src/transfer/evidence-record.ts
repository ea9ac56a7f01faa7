import { consentEntry, subscriptionRecord } from '../published/subscription-record.ts'
import type { ConsentAction, ConsentRecord } from '../subscriptions/consent.ts'
import type { Evidence } from '../subscriptions/subscription-store.ts'

/** The text of a wording, if it is known. */
export type WordingText = (wording: string) => string | undefined

/** The fields of an export for people and spreadsheets, in their order. */
export const FLAT_FIELDS = [
  'email',
  'name',
  'id',
  'feed',
  'status',
  'locale',
  'created_at',
  'confirmed_at',
  'ended_at',
  'requested_at',
  'requested_via',
  'requested_wording',
  'confirmed_via',
  'confirmed_wording',
  'consent',
] as const

/** A subscription and all that proves it; the wordings as the person read them. */
export const evidenceRecord = ({ subscription, consents }: Evidence, textOf: WordingText) => ({
  ...subscriptionRecord(subscription),
  consent: consents.map((one) => entryWithText(one, textOf)),
})

/**
 * The same in flat fields: the last request and the last confirmation apart, so that they can be read without JSON,
 * and the whole ledger in one field, so that nothing is lost.
 */
export const flatEvidenceRecord = (evidence: Evidence, textOf: WordingText) => {
  const record = evidenceRecord(evidence, textOf)
  const requested = lastOf('requested', evidence.consents)
  const confirmed = lastOf('confirmed', evidence.consents)
  return {
    ...record,
    requested_at: requested === undefined ? null : consentEntry(requested).at,
    requested_via: requested?.via ?? null,
    requested_wording: requested?.wording ?? null,
    confirmed_via: confirmed?.via ?? null,
    confirmed_wording: confirmed?.wording ?? null,
  } satisfies Record<(typeof FLAT_FIELDS)[number], unknown>
}

const entryWithText = (consent: ConsentRecord, textOf: WordingText) => {
  const text = textOf(consent.wording)
  const entry = consentEntry(consent)
  return text === undefined ? entry : { ...entry, wording_text: text }
}

const lastOf = (action: ConsentAction, consents: readonly ConsentRecord[]): ConsentRecord | undefined =>
  consents.findLast((consent) => consent.deed === action)
