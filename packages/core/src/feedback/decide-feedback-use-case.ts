import type { AuditAction } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { DONE } from '../audit/audit-store.ts'
import { auditEntry } from '../audit/audit-trail.ts'
import { InvalidInput } from '../errors.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { parseOneOf } from '../text.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { effectOf } from './feedback-effect.ts'
import { MOST_ITEMS } from './feedback-item.ts'
import type { WaitingFeedbackId, WaitingFeedbackRecord } from './feedback-store.ts'
import { judgeFailure } from './judge-failure.ts'

/** Shows the feedback that waits for a decision, the oldest first. */
export class ListFeedbackUseCase extends UseCase<'access' | 'reads', 'feedback'> {
  static readonly permission = 'feedback:decide'
  static readonly action = 'feedback.read'

  async execute(request: PageRequest, caller: Caller): Promise<Page<WaitingFeedbackRecord>> {
    const attempt = await this.ports.access.require(caller, ListFeedbackUseCase)
    const page = await this.ports.readers.feedback.list(stretchOf(request))
    this.ports.reads.note(caller, attempt)
    return page
  }
}

const FEEDBACK_DECISIONS = ['accept', 'drop'] as const

export type FeedbackDecision = (typeof FEEDBACK_DECISIONS)[number]

export interface DecideFeedbackCommand {
  readonly decision: string
  /** Of feedback that waits; those of which it was decided already are passed over. */
  readonly ids: readonly WaitingFeedbackId[]
}

const ACTION: Readonly<Record<FeedbackDecision, AuditAction>> = { accept: 'feedback.accept', drop: 'feedback.drop' }

/** Carries out feedback that waits, or forgets it. */
export class DecideFeedbackUseCase extends UseCase<'access' | 'clock' | 'digests' | 'randomness' | 'unitOfWork'> {
  static readonly permission = 'feedback:decide'
  static readonly action = 'feedback.accept'

  /**
   * How many of them waited.
   * @throws {InsufficientPermissions} the caller may not
   * @throws {InvalidInput} there is no such decision, or there are too many ids
   */
  async execute(command: DecideFeedbackCommand, caller: Caller): Promise<number> {
    await this.ports.access.require(caller, DecideFeedbackUseCase)
    const decision = parseOneOf('decision', command.decision, FEEDBACK_DECISIONS)
    const ids = [...new Set(command.ids)]
    if (ids.length < 1 || ids.length > MOST_ITEMS)
      throw new InvalidInput([{ field: 'ids', message: `Give 1 to ${MOST_ITEMS} ids.` }])
    return await this.ports.unitOfWork.run(async (stores) => {
      let decided = 0
      for (const id of ids) {
        const waiting = await stores.feedback.find(id)
        if (waiting === undefined || !(await stores.feedback.remove(id))) continue
        if (decision === 'accept') await this.#accept(stores, waiting)
        decided++
      }
      const entry = auditEntry(this.ports.clock.now(), caller, { action: ACTION[decision] }, DONE)
      if (decided > 0) await stores.audit.append({ ...entry, count: decided })
      return decided
    })
  }

  async #accept(stores: Stores, waiting: WaitingFeedbackRecord): Promise<void> {
    const { caller, feeds, address, mailbox } = waiting
    const subscription =
      waiting.subscription === undefined ? undefined : await stores.subscriptions.find(waiting.subscription)
    const subject = { address, mailbox, addressKey: subscription?.addressKey, subscription }
    const feedback = { kind: waiting.kind, at: waiting.at, ...judgeFailure(waiting) }
    const effect = await effectOf(stores, this.ports, { id: caller, feeds }, subject, feedback)
    await effect?.carryOut()
  }
}
