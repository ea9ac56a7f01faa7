import { currentWording, type Feed, type Wording } from '../feeds/feed.ts'
import { type Instant, MINUTE } from '../instant.ts'
import type { SubscriptionId } from './subscription-id.ts'

/** `allowed`: that mails may come again, after none should. `moved`: to another address, or from one. */
export const CONSENT_ACTIONS = ['requested', 'confirmed', 'refused', 'ended', 'allowed', 'moved'] as const

export type ConsentAction = (typeof CONSENT_ACTIONS)[number]

/** Where an action came from, as evidence. */
export interface ConsentSource {
  /** `form`, `json`, `page`, `link`, `one-click`, `preferences`, `import`, or `caller:` or `complaint:` with an id. */
  readonly via: string
  /** Already cut to /24 or /48 by the receiving adapter. */
  readonly clientAddress: string | undefined
  readonly userAgent: string | undefined
}

export interface ConsentRecord extends ConsentSource {
  readonly at: Instant
  readonly deed: ConsentAction
  /** Which wording the person was shown: `<feed>/<version>`, or the service's own. */
  readonly wording: string
  readonly language: string | undefined
  /** How many times within ten minutes. */
  readonly count: number
}

/** The wording version shown if a feed has no wording of its own. Raised with every change. */
export const WORDING = 'double-opt-in/1'

/** The wording shown for this feed. */
export const wordingOf = (feed: Pick<Feed, 'name' | 'wordings'> | undefined): string => {
  const wording = feed && currentWording(feed)
  return feed && wording ? wordingName(feed, wording) : WORDING
}

/** The name of a feed's wording in the ledger. */
export const wordingName = ({ name }: Pick<Feed, 'name'>, { version }: Wording): string => `${name}/${version}`

/** What the feed's wording of this name says, if it has one. */
export const textOfWording = (feed: Pick<Feed, 'name' | 'wordings'>, name: string): string | undefined =>
  feed.wordings.find((wording) => wordingName(feed, wording) === name)?.text

const LONGEST_AGENT = 256

/** The last time that the owner left, or was taken away; undefined if that never was. */
export const lastEndIn = (ledger: readonly ConsentRecord[]): ConsentRecord | undefined =>
  ledger.findLast(({ deed }) => deed === 'ended' || deed === 'refused' || deed === 'moved')

/** An action on a subscription, with its evidence. */
export interface ConsentEvent {
  readonly deed: ConsentAction
  readonly at: Instant
  readonly source: ConsentSource
  readonly language: string | undefined
  readonly wording: string
}

export const consentRecord = ({ deed, at, source, language, wording }: ConsentEvent): ConsentRecord => ({
  at,
  deed,
  via: source.via,
  clientAddress: source.clientAddress,
  userAgent: source.userAgent?.slice(0, LONGEST_AGENT).toWellFormed(),
  wording,
  language,
  count: 1,
})

/** The append-only ledger of what a person agreed to, per subscription; goes with the subscription. */
export interface ConsentStore {
  append(id: SubscriptionId, record: ConsentRecord): Promise<void>
  /** The last record of each of these ledgers, without those that have none. */
  lastOf(ids: readonly SubscriptionId[]): Promise<ReadonlyMap<SubscriptionId, ConsentRecord>>
  /** Adds `times`, by default one, to the last record's count; nothing else about a record ever changes. */
  countRepetition(id: SubscriptionId, times?: number): Promise<void>
  /** In the order in which they were appended. */
  list(id: SubscriptionId): Promise<readonly ConsentRecord[]>
}

/** Whether it only repeats the last one: what is asked again within ten minutes is the same request. */
export const isRepetition = (
  last: Pick<ConsentRecord, 'deed' | 'at'> | undefined,
  { deed, at }: Pick<ConsentRecord, 'deed' | 'at'>,
): boolean => last?.deed === deed && Math.abs(at - last.at) < 10 * MINUTE

/** Appends the record; if it only repeats the last one, counts a repetition of that one. */
export const appendOrCount = async (
  consents: Pick<ConsentStore, 'append' | 'countRepetition' | 'lastOf'>,
  id: SubscriptionId,
  record: ConsentRecord,
): Promise<void> => {
  if (isRepetition((await consents.lastOf([id])).get(id), record)) await consents.countRepetition(id)
  else await consents.append(id, record)
}
