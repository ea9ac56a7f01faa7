import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { InvalidInput } from '../errors.ts'
import { putFace } from '../face/change-face.ts'
import type { FeedFace } from '../face/feed-face.ts'
import type { Instant } from '../instant.ts'
import type { DomainNames } from '../platform/domain-names.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { readAll } from '../read-all.ts'
import { parseRemindAfter, requireSendable } from '../reminders/remind-after.ts'
import { parseText } from '../text.ts'
import { UseCase } from '../use-case.ts'
import { nextFields, parseFeedFields } from './declare-fields.ts'
import { parseEmailAddress } from './email-address.ts'
import { eraseMarkedFields } from './erase-fields.ts'
import {
  currentWording,
  type Feed,
  type FeedName,
  parseFeedName,
  plainFeed,
  type Sender,
  type Wording,
} from './feed.ts'
import { FeedInUse } from './feed-in-use.ts'
import { parseLocale } from './locale.ts'
import { parseReturnUrl, parseReturnUrls } from './return-url.ts'

export interface PutFeedCommand extends FeedFields {
  readonly name: string
  /** What becomes of the values of fields that are no longer declared; unless they are erased, such a field stays. */
  readonly removedFields?: 'keep' | 'erase' | undefined
  readonly precondition?: Precondition<Feed> | undefined
}

export interface PutFeedResult {
  readonly feed: Feed
  readonly created: boolean
}

export class PutFeedUseCase extends UseCase<
  'access' | 'unitOfWork' | 'requests' | 'trail' | 'clock' | 'domainNames' | 'linkLife',
  'subscriptions'
> {
  static readonly permission = 'feeds:write'
  static readonly action = 'feed.put'

  /**
   * Creates the feed, or replaces the one with this name: omitted members get their defaults, except the
   * wording, the fields and the face, which stay. No version of a wording is ever changed or removed.
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid
   * @throws {FeedInUse} it is being deleted
   * @throws {FieldInUse} a field that has values would go, or change its type
   */
  async execute(command: PutFeedCommand, caller: Caller): Promise<PutFeedResult> {
    const attempt = await this.ports.access.require(caller, PutFeedUseCase, command.name)
    const erase = command.removedFields === 'erase'
    await this.ports.requests.settled()
    const result = await this.ports.unitOfWork.run(async ({ feeds, audit }) => {
      const name = parseFeedName(command.name)
      const current = await feeds.find(name)
      requireCondition(command.precondition, current)
      const { wording, fields: declared, face: change, ...given } = readFeedFields(command, name, this.ports)
      if (current) requireLasting(current)
      const now = this.ports.clock.now()
      const old = current ?? plainFeed(name, now)
      const fields = nextFields(old, declared, erase)
      const face = change(old.face)
      const feed: Feed = { ...old, ...given, ...newWording(old, wording, now), fields, face, updatedAt: now }
      await feeds.put(feed)
      await this.ports.trail.done(audit, caller, attempt)
      return { feed, created: current === undefined }
    })
    if (erase)
      await eraseMarkedFields(this.ports, result.feed.name, ({ audit }, names, count) =>
        this.ports.trail.done(audit, caller, attempt, erasedFields(names, count)),
      )
    return result
  }
}

/** For the trail. */
export const erasedFields = (names: readonly string[], count: number): string =>
  `fields erased: ${names.join(', ')}; subscriptions that had values: ${count}`

/** @throws {FeedInUse} it is being deleted */
export const requireLasting = ({ deletingSince }: Feed): void => {
  if (deletingSince !== undefined) throw new FeedInUse(BEING_DELETED)
}

const BEING_DELETED = 'This feed is being deleted. Wait until it is gone, or delete it again to finish that.'

/** The fields of a feed, unparsed. */
export interface FeedFields {
  /** By default the name. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly language?: string | undefined
  /** `News <news@example.com>`, or an address alone; by default the service's own. */
  readonly sender?: string | undefined
  /** What people are asked to agree to. Empty for the service's own; unchanged if not given. */
  readonly wording?: string | undefined
  /** Where a sign-up form may ask to be sent back to. */
  readonly returnUrls?: readonly string[] | undefined
  /** Where people are sent after they have confirmed. */
  readonly confirmedUrl?: string | undefined
  /** Where pages lead back to. */
  readonly homeUrl?: string | undefined
  /** How long after the mail that asks to confirm a reminder follows, such as `2d`; by default none does. */
  readonly remindAfter?: string | undefined
  /** Whether it accepts sign-ups; by default true. */
  readonly open?: boolean | undefined
  /** What its forms ask for beside name and address, as in the record of a feed; unchanged if not given. */
  readonly fields?: readonly unknown[] | undefined
  /** The colour of buttons and links in its mails and pages, as `#rrggbb`; empty for the service's own. Unchanged if not given, as are the next three. */
  readonly accent?: string | undefined
  /** What stands below its mails and pages, such as an imprint: plain texts by language tag. */
  readonly footer?: unknown
  /** What its mails and pages say in words of its own: by language tag, and by the names in `WORDS`. */
  readonly words?: unknown
  /** Whether those who have confirmed are welcomed by a mail. */
  readonly welcome?: boolean | undefined
}

type Reading = Pick<Dependencies, 'domainNames' | 'linkLife'>

const LONGEST_TITLE = 200
const LONGEST_DESCRIPTION = 2_000

/** @throws {InvalidInput} with the problems of every field that has one */
const readFeedFields = (fields: FeedFields, name: FeedName, ports: Reading) => {
  const read = feedFieldReaders(name, ports)
  return readAll({
    title: () => read.title(fields.title),
    description: () => read.description(fields.description),
    language: () => read.language(fields.language),
    sender: () => read.sender(fields.sender),
    wording: () => parseWording(fields.wording),
    returnUrls: () => read.returnUrls(fields.returnUrls),
    confirmedUrl: () => read.confirmedUrl(fields.confirmedUrl),
    homeUrl: () => read.homeUrl(fields.homeUrl),
    remindAfter: () => read.remindAfter(fields.remindAfter),
    open: () => read.open(fields.open),
    fields: () => fields.fields && read.fields(fields.fields),
    face: () => {
      // Its problems do not depend on what the feed had.
      putFace({}, fields)
      return (face: FeedFace) => putFace(face, fields)
    },
  })
}

/** What becomes of each field: where it is null or missing, its default. */
export const feedFieldReaders = (name: FeedName, { domainNames, linkLife }: Reading) => ({
  title: (text: Given<string>) => parseText('title', text || name, LONGEST_TITLE),
  description: (text: Given<string>) => parseText('description', text ?? '', LONGEST_DESCRIPTION),
  language: (tag: Given<string>) => parseLocale(tag ?? undefined, 'language'),
  sender: (text: Given<string>) => parseSender(text ?? undefined, domainNames),
  wording: (text: Given<string>) => parseWording(text ?? ''),
  returnUrls: (urls: Given<readonly string[]>) => parseReturnUrls(urls ?? [], domainNames, 'return_urls'),
  confirmedUrl: (url: Given<string>) => (url ? parseReturnUrl(url, domainNames, 'confirmed_url') : undefined),
  homeUrl: (url: Given<string>) => (url ? parseReturnUrl(url, domainNames, 'home_url') : undefined),
  remindAfter: (text: Given<string>) => requireSendable(parseRemindAfter(text ?? undefined), linkLife),
  open: (open: Given<boolean>) => open ?? true,
  fields: (fields: Given<readonly unknown[]>) => parseFeedFields(fields ?? []),
})

type Given<T> = T | null | undefined

const LONGEST_SENDER = 500
const MAILBOX = /^([^<>"]*)<([^<>"]*)>$/

/**
 * The sender of mails, as `News <news@example.com>` or an address alone; undefined if not given.
 * @throws {InvalidInput} it is neither, or has a character that mail programs misread
 */
const parseSender = (text: string | undefined, domainNames: DomainNames): Sender | undefined => {
  if (text === undefined || text === '') return undefined
  const [, name = '', mailbox = text] = MAILBOX.exec(parseText('sender', text, LONGEST_SENDER).trim()) ?? []
  const message = 'Give an address such as News <news@example.com>, without quotation marks.'
  if (/[<>"]/.test(mailbox)) throw new InvalidInput([{ field: 'sender', message }])
  const { value } = parseEmailAddress(mailbox, domainNames, 'sender')
  return { name: name.trim(), address: value }
}

const LONGEST_WORDING = 2_000

/**
 * A wording as it is kept: line breaks as LF, and empty if it has no visible text; undefined if not given.
 * @throws {InvalidInput} over 2,000 characters, a control character other than line breaks, or an unpaired surrogate
 */
const parseWording = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const lines = text.replace(/\r\n?/g, '\n')
  parseText('wording', lines.replaceAll('\n', ' '), LONGEST_WORDING)
  return lines.trim() === '' ? '' : lines
}

/**
 * The versions with this one for the last. None is added for the text that is shown already, nor for none where the
 * service's own is shown already.
 */
export const newWording = (
  { wordings }: Feed,
  text: string | undefined,
  since: Instant,
): { readonly wordings: readonly Wording[] } => ({
  wordings:
    text === undefined || text === (currentWording({ wordings })?.text ?? '')
      ? wordings
      : [...wordings, { version: (wordings.at(-1)?.version ?? 0) + 1, text, since }],
})
