import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { putFace } from '../face/change-face.ts'
import type { FeedFace } from '../face/feed-face.ts'
import type { Instant } from '../instant.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { readAll } from '../read-all.ts'
import { parseText } from '../text.ts'
import { UseCase } from '../use-case.ts'
import { nextFields, parseFeedFields } from './declare-fields.ts'
import { eraseMarkedFields } from './erase-fields.ts'
import { currentWording, type Feed, type FeedName, parseFeedName, plainFeed, type Wording } from './feed.ts'
import { FeedInUse } from './feed-in-use.ts'
import { type GivenSettings, settingReaders, settingsOf } from './feed-settings.ts'

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
    if (erase) await eraseMarkedFields(this.ports, result.feed.name, caller, attempt)
    return result
  }
}

/** @throws {FeedInUse} it is being deleted */
export const requireLasting = ({ deletingSince }: Feed): void => {
  if (deletingSince !== undefined) throw new FeedInUse(BEING_DELETED)
}

const BEING_DELETED = 'This feed is being deleted. Wait until it is gone, or delete it again to finish that.'

/** What is said of a feed, unparsed. */
export interface FeedFields extends GivenSettings {
  /** What people are asked to agree to. Empty for the service's own; unchanged if not given. */
  readonly wording?: string | undefined
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

/** @throws {InvalidInput} with the problems of every field that has one */
const readFeedFields = (fields: FeedFields, name: FeedName, { domainNames, linkLife }: Reading) =>
  readAll({
    ...settingsOf(fields, { name, domainNames, linkLife }),
    wording: () => parseWording(fields.wording),
    fields: () => fields.fields && parseFeedFields(fields.fields),
    face: () => {
      // Its problems do not depend on what the feed had.
      putFace({}, fields)
      return (face: FeedFace) => putFace(face, fields)
    },
  })

/** What becomes of each field: if it is null, its default. */
export const feedFieldReaders = (name: FeedName, { domainNames, linkLife }: Reading) => ({
  ...settingReaders({ name, domainNames, linkLife }),
  wording: (text: string | null) => parseWording(text ?? ''),
  fields: (fields: readonly unknown[] | null) => parseFeedFields(fields ?? []),
})

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
 * The versions with this one for the last. None is added for the text that is shown already, nor for none if the
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
