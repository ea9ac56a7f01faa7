import type { Caller } from '../access/caller.ts'
import { linkedBy } from '../moves/moved-subscriptions.ts'
import { counted } from '../numbers/counted.ts'
import { endAndRecord } from '../subscriptions/subscription-transitions.ts'
import { UseCase } from '../use-case.ts'
import type { BounceAddresses } from './bounce-address.ts'
import { complaintOf } from './feedback-effect.ts'
import type { ReportKind } from './feedback-item.ts'
import { type FeedbackReading, FeedbackRecorder, isNewReport } from './feedback-recorder.ts'
import { judgeFailure } from './judge-failure.ts'
import type { MailReport } from './report-parser.ts'

export interface RecordReportCommand {
  /** The address that the report was delivered to, as the envelope has it. */
  readonly recipient: string
  /** The whole message. */
  readonly message: Uint8Array
}

/** What became of a report, and why it was ignored if it was. */
export type ReportOutcome =
  | { readonly outcome: 'recorded'; readonly kind: ReportKind }
  | { readonly outcome: 'ignored'; readonly because: string }

const ignored = (because: string): ReportOutcome => ({ outcome: 'ignored', because })

const NOT_SET_UP = 'No bounce address is configured.'
const NOT_OURS = 'It came to an address that no mail of ours carries, or no longer.'
const NO_REPORT = 'It is no report of a mail server.'
const OTHER_REPORT = 'It reports neither a failure, nor a delivery, nor a complaint.'
const SAYS_NOTHING = 'It says nothing about the address.'
const NO_LINK = 'It has no unsubscribe link of ours in it.'

/** Whether it is a report about one of our mails, even one that changes nothing. */
export const isUnderstood = (outcome: ReportOutcome): boolean =>
  outcome.outcome === 'recorded' || [OTHER_REPORT, SAYS_NOTHING, NO_LINK].includes(outcome.because)

const NO_FAILURE = { meaning: undefined, status: undefined }

export type RecordReportPorts =
  | 'access'
  | 'bounceAddresses'
  | 'clock'
  | 'digests'
  | 'randomness'
  | 'reportParser'
  | 'tokens'
  | 'trail'
  | 'unitOfWork'

/** Takes a report that a mail server sent about one of our own mails. */
export class RecordReportUseCase extends UseCase<RecordReportPorts, FeedbackReading> {
  static readonly permission = 'feedback:write'
  static readonly action = 'feedback.record'

  /**
   * Which subscription it is about is taken from the address that it came to, or from our own link in it; nothing else
   * that it says of that is believed.
   * @throws {InsufficientPermissions} the caller may not
   */
  async execute({ recipient, message }: RecordReportCommand, caller: Caller): Promise<ReportOutcome> {
    await this.ports.access.require(caller, RecordReportUseCase)
    const { bounceAddresses, reportParser } = this.ports
    if (bounceAddresses === undefined) return ignored(NOT_SET_UP)
    if (!bounceAddresses.isOurs(recipient)) return ignored(NOT_OURS)
    const report = await reportParser?.parse(message)
    if (report === undefined) return ignored(NO_REPORT)
    switch (report.kind) {
      case 'complaint':
        return await this.#complaint(report, caller)
      case 'other':
        return ignored(OTHER_REPORT)
      default:
        return await this.#mailed(report, bounceAddresses, recipient, caller)
    }
  }

  async #mailed(
    report: MailReport & { readonly kind: 'bounce' | 'delivery' },
    bounceAddresses: BounceAddresses,
    recipient: string,
    caller: Caller,
  ): Promise<ReportOutcome> {
    const { kind, id } = report
    const now = this.ports.clock.now()
    const subscription = bounceAddresses.read(recipient, now)
    if (subscription === undefined) return ignored(NOT_OURS)
    const judgement = report.kind === 'bounce' ? judgeFailure(report.failure) : NO_FAILURE
    if (kind === 'bounce' && judgement.meaning === undefined) return ignored(SAYS_NOTHING)
    const providerId = `${recipient.toLowerCase()} ${id}`
    const item = { kind, about: { subscription }, at: now, providerId, ...judgement }
    await new FeedbackRecorder(this.ports).record([item], caller)
    return { outcome: 'recorded', kind }
  }

  async #complaint(
    { id: name, links }: MailReport & { readonly kind: 'complaint' },
    caller: Caller,
  ): Promise<ReportOutcome> {
    const { clock, digests } = this.ports
    const ids = links.map((link) => this.ports.tokens.read('unsubscribe', link)?.id)
    const id = ids.find((one) => one !== undefined)
    if (id === undefined) return ignored(NO_LINK)
    await this.ports.unitOfWork.run(async (stores) => {
      // A message that stays in a mailbox is read again, and its reader may have come back since.
      if (!(await isNewReport(stores, digests, `complaint ${id} ${name}`, clock.now()))) return
      // One alone; if that has ended, what it has become by a change of address.
      const open = (await linkedBy(stores, id)).find(({ status }) => status !== 'ended')
      if (open) {
        await endAndRecord(stores, open, 'ended', complaintOf(caller), this.ports)
        await stores.numbers.add([counted('complained', open.feed, clock.now())])
      }
      await this.ports.trail.done(stores.audit, caller, { action: RecordReportUseCase.action, target: String(id) })
    })
    return { outcome: 'recorded', kind: 'complaint' }
  }
}
