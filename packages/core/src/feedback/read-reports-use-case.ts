import { UseCase } from '../use-case.ts'
import type { FeedbackReading } from './feedback-recorder.ts'
import { PROVIDER } from './provider-caller.ts'
import { isUnderstood, type RecordReportPorts, RecordReportUseCase } from './record-report-use-case.ts'
import type { MailboxRound } from './report-mailbox.ts'

const NOTHING: MailboxRound = { taken: 0, left: 0, more: false }

/** Takes the reports in a mailbox, as a mail server hands them over one by one. */
export class ReadReportsUseCase extends UseCase<RecordReportPorts | 'reportMailbox', FeedbackReading> {
  async execute(): Promise<MailboxRound> {
    const { reportMailbox, bounceAddresses } = this.ports
    if (reportMailbox === undefined || bounceAddresses === undefined) return NOTHING
    const recordReport = new RecordReportUseCase(this.ports)
    return await reportMailbox.read(async (message) => {
      // A mailbox keeps no envelope: the address that a report came to is in one of its fields.
      for (const recipient of bounceAddresses.namedIn(headOf(message)))
        if (isUnderstood(await recordReport.execute({ recipient, message }, PROVIDER))) return true
      return false
    })
  }
}

const LONGEST_HEAD = 64 * 1024
const STRETCH = 8 * 1024

/** The fields in front of a message, one character a byte. */
const headOf = (message: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < Math.min(message.length, LONGEST_HEAD) && !/\r?\n\r?\n/.test(text); at += STRETCH)
    text += String.fromCharCode(...message.subarray(at, at + STRETCH))
  return text.split(/\r?\n\r?\n/, 1)[0] ?? ''
}
