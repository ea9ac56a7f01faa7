import { type FeedbackItem, isTold } from '@rollcall/core'
import { asObject, objectIn, type SnsMessage } from './sns-message.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * What Amazon SES says in a message, as a notification or as a published event. Nothing if it is about something else,
 * such as a delay.
 * @see https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 * @see https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
export const feedbackIn = ({ Message, MessageId }: SnsMessage): FeedbackItem[] => {
  const report = objectIn(Message)
  const kind = report?.notificationType ?? report?.eventType
  const read = typeof kind === 'string' ? READERS.get(kind) : undefined
  const items = read?.(report ?? {}) ?? []
  // One message may name several recipients.
  return items.map((item, place) => ({ ...item, providerId: `${MessageId}.${place}` }))
}

/**
 * What the types of bounces say of an address without a status. The others say nothing, whatever their status: Amazon does
 * not know, or it was the content that was refused.
 */
const BOUNCES: ReadonlyMap<string, { readonly permanent: boolean; readonly status?: string }> = new Map([
  ['Permanent/General', { permanent: true }],
  ['Permanent/NoEmail', { permanent: true }],
  ['Permanent/Suppressed', { permanent: true }],
  ['Permanent/OnAccountSuppressionList', { permanent: true }],
  // Automatic replies, above all.
  ['Transient/General', { permanent: false }],
  ['Transient/MailboxFull', { permanent: false, status: '5.2.2' }],
])

const bounces = (bounce: Json | undefined): FeedbackItem[] => {
  const subType = bounce?.bounceSubType ?? 'General'
  const says = BOUNCES.get(`${bounce?.bounceType}/${subType}`)
  if (says === undefined) return []
  return recipientsIn(bounce?.bouncedRecipients)
    .filter(({ action }) => action === undefined || action === null || action === 'failed')
    .map((recipient) => ({
      kind: 'bounce',
      // `General` says that Amazon does not know why; the words of the server may. All others are what Amazon has found.
      permanent: says.permanent && (subType !== 'General' || isTold(textOf(recipient.diagnosticCode) ?? '')),
      status: says.status ?? statusIn(recipient.status),
      diagnostic: subType === 'General' ? textOf(recipient.diagnosticCode) : undefined,
      address: addressIn(recipient.emailAddress),
      at: textOf(bounce?.timestamp),
    }))
}

/** Of the types of complaints, those that a person stands behind: not a virus, nor a signature that does not hold. */
const COMPLAINTS: ReadonlySet<unknown> = new Set(['abuse', 'fraud', 'opt-out', 'other', '', null, undefined])

const complaints = (complaint: Json | undefined): FeedbackItem[] =>
  COMPLAINTS.has(complaint?.complaintFeedbackType)
    ? recipientsIn(complaint?.complainedRecipients).map((recipient) => ({
        kind: 'complaint',
        address: addressIn(recipient.emailAddress),
        at: textOf(complaint?.timestamp),
      }))
    : []

const deliveries = (delivery: Json | undefined): FeedbackItem[] =>
  listIn(delivery?.recipients).map((recipient) => ({
    kind: 'delivery',
    address: addressIn(recipient),
    at: textOf(delivery?.timestamp),
  }))

const READERS: ReadonlyMap<string, (report: Json) => FeedbackItem[]> = new Map([
  ['Bounce', ({ bounce }) => bounces(asObject(bounce))],
  ['Complaint', ({ complaint }) => complaints(asObject(complaint))],
  ['Delivery', ({ delivery }) => deliveries(asObject(delivery))],
])

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const recipientsIn = (value: unknown): Json[] =>
  listIn(value)
    .map(asObject)
    .filter((one) => one !== undefined)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Servers write more around it. */
const statusIn = (value: unknown): string | undefined =>
  /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(textOf(value) ?? '')?.[0]

/** As some servers say it in their reports: `"Name" <name@example.com>`. */
const addressIn = (value: unknown): string => {
  const text = textOf(value)?.trim() ?? ''
  return /<([^<>]+)>$/.exec(text)?.[1] ?? text
}
