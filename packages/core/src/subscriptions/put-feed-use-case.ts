import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { InvalidInput, PreconditionFailed } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import { readAll } from '../read-all.ts'
import { problemWithText } from '../text.ts'
import type { Precondition } from '../users/user.ts'
import { type Feed, parseFeedName, plainFeed } from './feed.ts'
import { parseLocale } from './locale.ts'

export interface PutFeedCommand {
  readonly name: string
  /** The name, where none is given. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly language?: string | undefined
  readonly precondition?: Precondition<Feed> | undefined
}

export interface PutFeedResult {
  readonly feed: Feed
  readonly created: boolean
}

const LONGEST_TITLE = 200
const LONGEST_DESCRIPTION = 2_000

export class PutFeedUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #clock: Clock

  constructor(ports: { access: AccessControl; unitOfWork: UnitOfWork; trail: AuditTrail; clock: Clock }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
    this.#clock = ports.clock
  }

  /**
   * Creates the feed, or replaces the one with this name.
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid
   */
  async execute(command: PutFeedCommand, caller: Caller): Promise<PutFeedResult> {
    const attempt = { action: 'feed.put', target: command.name } as const
    this.#access.require(caller, 'feeds:write', attempt)
    return await this.#unitOfWork.run(async ({ feeds, audit }) => {
      const name = parseFeedName(command.name)
      const current = await feeds.find(name)
      if (command.precondition?.(current) === false) throw new PreconditionFailed()
      const { title, description, language } = readAll({
        title: () => parseText('title', command.title || name, LONGEST_TITLE),
        description: () => parseText('description', command.description ?? '', LONGEST_DESCRIPTION),
        language: () => parseLocale(command.language, 'language'),
      })
      const now = this.#clock.now()
      const feed: Feed = {
        ...(current ?? plainFeed(name, now)),
        title,
        description,
        language,
        updatedAt: now,
      }
      await feeds.put(feed)
      await this.#trail.done(audit, caller, attempt)
      return { feed, created: current === undefined }
    })
  }
}

const parseText = (field: string, text: string, longest: number): string => {
  const message = problemWithText(text, longest)
  if (message !== undefined) throw new InvalidInput([{ field, message }])
  return text
}
