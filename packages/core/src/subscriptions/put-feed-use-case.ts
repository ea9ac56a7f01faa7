import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { FeedInUse, PreconditionFailed } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { DomainNames } from '../ports/domain-names.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import type { Precondition } from '../users/user.ts'
import { type Feed, parseFeedName, plainFeed } from './feed.ts'
import { type FeedFields, readFeedFields } from './feed-fields.ts'
import { nextWordings } from './wording.ts'

export interface PutFeedCommand extends FeedFields {
  readonly name: string
  readonly precondition?: Precondition<Feed> | undefined
}

export interface PutFeedResult {
  readonly feed: Feed
  readonly created: boolean
}

export class PutFeedUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #clock: Clock
  readonly #domainNames: DomainNames

  constructor(ports: {
    access: AccessControl
    unitOfWork: UnitOfWork
    trail: AuditTrail
    clock: Clock
    domainNames: DomainNames
  }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
    this.#clock = ports.clock
    this.#domainNames = ports.domainNames
  }

  /**
   * Creates the feed, or replaces the one with this name: what is left out is as for a new feed, but for the wording,
   * which then stays. No version of a wording is ever changed or forgotten.
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid
   * @throws {FeedInUse} it is being deleted
   */
  async execute(command: PutFeedCommand, caller: Caller): Promise<PutFeedResult> {
    const attempt = { action: 'feed.put', target: command.name } as const
    this.#access.require(caller, 'feeds:write', attempt)
    return await this.#unitOfWork.run(async ({ feeds, audit }) => {
      const name = parseFeedName(command.name)
      const current = await feeds.find(name)
      if (command.precondition?.(current) === false) throw new PreconditionFailed()
      const { wording, ...fields } = readFeedFields(command, name, this.#domainNames)
      if (current?.deletingSince !== undefined) throw new FeedInUse(BEING_DELETED)
      const now = this.#clock.now()
      const old = current ?? plainFeed(name, now)
      const feed: Feed = { ...old, ...fields, wordings: nextWordings(old.wordings, wording, now), updatedAt: now }
      await feeds.put(feed)
      await this.#trail.done(audit, caller, attempt)
      return { feed, created: current === undefined }
    })
  }
}

const BEING_DELETED = 'This feed is being deleted. Wait until it is gone, or delete it again to finish that.'
