import { createPublicKey, createVerify, type KeyObject } from 'node:crypto'
import { type FeedbackItem, type FeedbackVerifier, isTold, SignatureNotValid } from '@rollcall/core'
import { type Report, reportsIn, statusIn, textOf, type WarningLog } from './report.ts'

/** The key that SendGrid shows for its signed webhook; undefined if it is none. */
export const sendgridKey = (text: string): KeyObject | undefined => {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ec' ? key : undefined
  } catch {
    return undefined
  }
}

const SIGNATURE = 'x-twilio-email-event-webhook-signature'
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp'

/**
 * Believes what SendGrid signs with the key of its operator's webhook. However old the signature is: a message may come a day
 * late, and one that is sent again by somebody else changes nothing, by the ids and the times of its reports.
 * @see https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
export const createSendgridVerifier = (key: KeyObject, warn: WarningLog = () => undefined): FeedbackVerifier => ({
  verify: async (body, header) => {
    const [signature = '', timestamp = ''] = [header(SIGNATURE), header(TIMESTAMP)]
    if (!(/^\d{1,20}$/.test(timestamp) && isSigned(key, signature, timestamp, body))) {
      warn('A message to /feedback/sendgrid was refused: it is not signed for ROLLCALL_FEEDBACK_SENDGRID_KEY.')
      throw new SignatureNotValid()
    }
    return reportsIn(body)?.flatMap((report) => itemsIn(report, timeIn(timestamp))) ?? []
  },
})

const isSigned = (key: KeyObject, signature: string, timestamp: string, body: Uint8Array): boolean =>
  /^[A-Za-z0-9+/]{1,400}={0,2}$/.test(signature) &&
  createVerify('sha256').update(timestamp).update(body).verify(key, signature, 'base64')

/** Of its reasons for not sending a mail, those that are about the address. */
const DROPPED: ReadonlySet<unknown> = new Set(['Bounced Address', 'Invalid'])
/** What it finds a bounce to be about; others are about the content, the sender or a server. */
const OF_ADDRESS: ReadonlySet<unknown> = new Set(['Invalid Address', 'Mailbox Unavailable'])
const OF_ANYTHING: ReadonlySet<unknown> = new Set(['Unclassified', '', null, undefined])
/** What it calls blocked, a server refused for another reason than the address; what expired, no server refused. */
const BOUNCES: ReadonlySet<unknown> = new Set(['bounce', '', null, undefined])

const itemsIn = (report: Report, signedAt: string | undefined): readonly FeedbackItem[] => {
  const { event, type, reason, bounce_classification: found } = report
  const common = {
    address: textOf(report.email) ?? '',
    at: timeIn(report.timestamp) ?? signedAt,
    providerId: textOf(report.sg_event_id),
  }
  if (event === 'spamreport') return [{ ...common, kind: 'complaint' }]
  if (event === 'delivered') return [{ ...common, kind: 'delivery' }]
  if (event === 'dropped' && DROPPED.has(reason)) return [{ ...common, kind: 'bounce', permanent: true }]
  const isOfAddress = OF_ADDRESS.has(found)
  if (event !== 'bounce' || !BOUNCES.has(type) || !(isOfAddress || OF_ANYTHING.has(found))) return []
  // What SendGrid has found itself, words do not change.
  const diagnostic = found === 'Invalid Address' ? undefined : textOf(reason)
  const permanent = isOfAddress || isTold(diagnostic ?? '')
  return [{ ...common, kind: 'bounce', permanent, status: statusIn(report.status), diagnostic }]
}

/** Seconds since 1970; as what goes between makes of them, as text or in milliseconds. */
const timeIn = (value: unknown): string | undefined => {
  const number = typeof value === 'string' && /^\d{1,16}(?:\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof number !== 'number') return undefined
  const at = new Date(number > 1e11 ? number : number * 1_000)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
