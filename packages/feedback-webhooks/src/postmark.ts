import { createHash, timingSafeEqual } from 'node:crypto'
import { type FeedbackItem, type FeedbackVerifier, SignatureNotValid } from '@rollcall/core'
import { type Report, reportsIn, textOf, type WarningLog } from './report.ts'

/**
 * Believes what Postmark reports with the secret that its operator gave it, as the password in the address of the webhook.
 * @see https://postmarkapp.com/developer/webhooks/webhooks-overview
 */
export const createPostmarkVerifier = (secret: string, warn: WarningLog = () => undefined): FeedbackVerifier => {
  const expected = digestOf(secret)
  return {
    verify: async (body, header) => {
      if (!timingSafeEqual(digestOf(passwordIn(header('authorization'))), expected)) {
        warn('A message to /feedback/postmark was refused: its password is not ROLLCALL_FEEDBACK_POSTMARK_SECRET.')
        throw new SignatureNotValid()
      }
      return reportsIn(body)?.flatMap(itemsIn) ?? []
    },
  }
}

/** Of one length, so that the time of a comparison tells nothing. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

const passwordIn = (header = ''): string => {
  const [, credentials = ''] = /^basic ([A-Za-z0-9+/]{1,1000}={0,2})$/i.exec(header.trim()) ?? []
  const text = Buffer.from(credentials, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}

/** Of the types of bounces, those that may say something of the address. */
const BOUNCES: ReadonlyMap<unknown, { readonly permanent: boolean }> = new Map([
  ['HardBounce', { permanent: true }],
  ['BadEmailAddress', { permanent: true }],
  // A full mailbox, above all: by its status.
  ['SoftBounce', { permanent: false }],
])

const itemsIn = (report: Report): readonly FeedbackItem[] => {
  const { RecordType: record, ID, MessageID, Email, Recipient } = report
  // Ids have more digits than a number here has.
  const parts = [record, ID, MessageID, Recipient].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  )
  const common = { address: textOf(Email) ?? textOf(Recipient) ?? '', providerId: parts.join('.').slice(0, 255) }
  const bounce = BOUNCES.get(report.Type)
  if (record === 'Bounce' && bounce !== undefined)
    return [
      {
        ...common,
        ...bounce,
        kind: 'bounce',
        at: textOf(report.BouncedAt),
        // What Postmark has found itself, words do not change.
        diagnostic: report.Type === 'HardBounce' ? undefined : textOf(report.Details),
      },
    ]
  if (record === 'SpamComplaint') return [{ ...common, kind: 'complaint', at: textOf(report.BouncedAt) }]
  if (record === 'Delivery') return [{ ...common, kind: 'delivery', at: textOf(report.DeliveredAt) }]
  return []
}
