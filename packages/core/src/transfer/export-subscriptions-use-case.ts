import type { Caller } from '../access/caller.ts'
import { stillFor } from '../access/run-for.ts'
import { type Feed, parseKnownFeedName, rememberedFeeds, requireFeed } from '../feeds/feed.ts'
import { submittedName } from '../feeds/feed-fields.ts'
import { visible } from '../feeds/visible-fields.ts'
import { withMoves } from '../moves/moved-subscriptions.ts'
import type { Stretch } from '../page.ts'
import { consentEntry, publishedSubscription } from '../published/subscription.ts'
import { readAll } from '../read-all.ts'
import { type ConsentAction, type ConsentRecord, textOfWording } from '../subscriptions/consent.ts'
import { type Evidence, parseStatus, type SubscriptionFilter } from '../subscriptions/subscription.ts'
import { parseOneOf } from '../text.ts'
import { UseCase } from '../use-case.ts'
import type { CsvSeparator } from './csv.ts'
import { fieldNames } from './field-names.ts'
import { recordWriter } from './record-files.ts'
import { parseRecordFormat, type RecordFormat } from './record-formats.ts'

/** Which subscriptions, and in which format. By default all of them as NDJSON, or as CSV if `excel` or `separator` says so. */
export interface ExportSubscriptionsCommand {
  readonly feed?: string | undefined
  readonly status?: string | undefined
  readonly format?: string | undefined
  /** CSV as Excel opens it right, and writes it back unchanged. */
  readonly excel?: boolean | undefined
  /** What separates the cells of CSV, in a word: `comma` by default. */
  readonly separator?: string | undefined
}

/** The format that is meant, known or not: what only CSV has asks for CSV. */
export const formatOfExport = ({ format, excel = false, separator }: ExportSubscriptionsCommand): string =>
  format ?? (excel || separator !== undefined ? 'csv' : 'ndjson')

/** Excel expects the one that the language of its computer asks for, and hears of no other in a file that is UTF-8. */
const SEPARATORS = { comma: ',', semicolon: ';' } as const
export const CSV_SEPARATORS = ['comma', 'semicolon'] as const satisfies readonly (keyof typeof SEPARATORS)[]

/** So many are in memory at a time. */
const STRETCH = 500

export class ExportSubscriptionsUseCase extends UseCase<
  'access' | 'unitOfWork' | 'requests' | 'trail',
  'feeds' | 'moves' | 'subscriptions' | 'users'
> {
  static readonly permission = 'subscriptions:export'
  static readonly action = 'subscription.export'

  /**
   * Resolves once it is audited, with the text of the file piece by piece: as long as the next piece is not taken, nothing
   * is read. Oldest first; a subscription that changes meanwhile appears once, as it was when it was read. The text breaks
   * off if the caller may not have it any more.
   * @throws {InvalidInput} the feed does not exist, or the status, the format or the separator is unknown
   */
  async execute(command: ExportSubscriptionsCommand, caller: Caller): Promise<AsyncIterable<string>> {
    const attempt = await this.ports.access.require(caller, ExportSubscriptionsUseCase)
    const { excel = false, separator: given } = command
    const asked = formatOfExport(command)
    const { format, separator, ...filter } = readAll({
      feed: () => (command.feed === undefined ? undefined : parseKnownFeedName(command.feed)),
      status: () => parseStatus(command.status),
      format: () =>
        excel || given !== undefined ? parseOneOf('format', asked, ['csv'] as const) : parseRecordFormat(asked),
      separator: () => SEPARATORS[parseOneOf('separator', given ?? 'comma', CSV_SEPARATORS)],
    })
    await requireFeed(this.ports.readers.feeds, filter.feed)
    await this.ports.requests.settled()
    const reason = `format ${format}${filter.status === undefined ? '' : `, status ${filter.status}`}`
    const exported = { ...attempt, target: filter.feed }
    await this.ports.unitOfWork.run(({ audit }) => this.ports.trail.done(audit, caller, exported, reason))
    return this.#text({ format, excel, separator }, filter, caller)
  }

  async *#text(
    { format, ...more }: { readonly format: RecordFormat; readonly excel: boolean; readonly separator: CsvSeparator },
    filter: Omit<SubscriptionFilter, keyof Stretch>,
    caller: Caller,
  ): AsyncGenerator<string> {
    const { feeds } = this.ports.readers
    const names = format === 'csv' ? await fieldNames(feeds, filter.feed) : []
    const writer = recordWriter(format, [...FLAT_FIELDS, ...names.map(submittedName)], more)
    const toRecord = format === 'csv' ? flatEvidenceRecord : evidenceRecord
    const feedOf = rememberedFeeds(feeds)
    const requireStill = stillFor(this.ports, ExportSubscriptionsUseCase, caller)
    let { head } = writer
    for (let after: number | undefined = 0; after !== undefined; ) {
      await requireStill()
      const { items, next } = await this.ports.readers.subscriptions.listEvidence({ ...filter, after, limit: STRETCH })
      const moved = await withMoves(
        this.ports.readers.moves,
        items.map(({ subscription }) => subscription),
      )
      const records = await Promise.all(
        items.map(async ({ subscription, consents }, place) => {
          const feed = await feedOf(subscription.feed)
          return toRecord({ subscription: visible(moved[place] ?? subscription, feed), consents }, feed)
        }),
      )
      // The first piece comes after the first read: if that fails, the answer can still be an error.
      const text = head + writer.text(records)
      head = ''
      if (text !== '') yield text
      after = next
    }
  }
}

/** The fields of an export for people and spreadsheets, in their order. */
const FLAT_FIELDS = [
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
const evidenceRecord = ({ subscription, consents }: Evidence, feed: Feed | undefined) => ({
  ...publishedSubscription(subscription),
  consent: consents.map((one) => entryWithText(one, feed)),
})

/**
 * The same in flat fields: the last request and the last confirmation apart, so that they can be read without JSON,
 * and the whole ledger in one field, so that nothing is lost.
 */
const flatEvidenceRecord = (evidence: Evidence, feed: Feed | undefined) => {
  const record = evidenceRecord(evidence, feed)
  const requested = lastOf('requested', evidence.consents)
  const confirmed = lastOf('confirmed', evidence.consents)
  return {
    ...record,
    requested_at: requested === undefined ? null : consentEntry(requested).at,
    requested_via: requested?.via ?? null,
    requested_wording: requested?.wording ?? null,
    confirmed_via: confirmed?.via ?? null,
    confirmed_wording: confirmed?.wording ?? null,
    ...flatFields(evidence.subscription),
  } satisfies Record<(typeof FLAT_FIELDS)[number], unknown>
}

/** A value for each column that a field of the feed has. */
const flatFields = ({ fields = {} }: Evidence['subscription']) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [submittedName(name), value]))

const entryWithText = (consent: ConsentRecord, feed: Feed | undefined) => {
  const text = feed && textOfWording(feed, consent.wording)
  // An empty one says that the service's own was shown again.
  return { ...consentEntry(consent), ...(text && { wording_text: text }) }
}

const lastOf = (action: ConsentAction, consents: readonly ConsentRecord[]): ConsentRecord | undefined =>
  consents.findLast((consent) => consent.deed === action)
