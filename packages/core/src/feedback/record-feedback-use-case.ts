import type { Caller } from '../access/caller.ts'
import { UseCase } from '../use-case.ts'
import { DecideFeedbackUseCase } from './decide-feedback-use-case.ts'
import { FEEDBACK_KINDS, type FeedbackItem, parseFeedback } from './feedback-item.ts'
import { type FeedbackOutcome, type FeedbackReading, FeedbackRecorder } from './feedback-recorder.ts'

export interface RecordFeedbackCommand {
  readonly items: readonly FeedbackItem[]
}

/** Takes what came back of mails that a sender sent. */
export class RecordFeedbackUseCase extends UseCase<
  'access' | 'clock' | 'digests' | 'domainNames' | 'randomness' | 'unitOfWork',
  FeedbackReading
> {
  static readonly permission = 'feedback:write'
  static readonly action = 'feedback.record'

  /**
   * What is not in the caller's feeds, is too old, or was reported already changes nothing. What is too much for one day
   * waits for an administrator.
   * @throws {InsufficientPermissions} the caller may not
   * @throws {InvalidInput} an item is not valid; then none is taken
   */
  async execute({ items }: RecordFeedbackCommand, caller: Caller): Promise<FeedbackOutcome> {
    const { access, clock, domainNames } = this.ports
    await access.require(caller, RecordFeedbackUseCase)
    const byAddress = await access.allows(caller, DecideFeedbackUseCase.permission)
    const circumstances = { now: clock.now(), domainNames, kinds: FEEDBACK_KINDS, byAddress }
    return await new FeedbackRecorder(this.ports).record(parseFeedback(items, circumstances), caller)
  }
}
