import type { FeedbackItem } from '@rollcall/core/all'
import { asObject, objectIn, type SnsMessage } from './sns-message.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * What Amazon SES says in a message, as a notification or as a published event. Nothing where it is about something else,
 * such as a delivery.
 * @see https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 * @see https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
export const feedbackIn = ({ Message, MessageId }: SnsMessage): FeedbackItem[] => {
  const report = objectIn(Message)
  const kind = report?.notificationType ?? report?.eventType
  const items =
    kind === 'Bounce'
      ? bounces(asObject(report?.bounce))
      : kind === 'Complaint'
        ? complaints(asObject(report?.complaint))
        : []
  // One message may name several recipients.
  return items.map((item, place) => ({ ...item, providerId: `${MessageId}.${place}` }))
}

const bounces = (bounce: Json | undefined): FeedbackItem[] =>
  recipientsIn(bounce?.bouncedRecipients).map((recipient) => ({
    kind: 'bounce',
    permanent: bounce?.bounceType === 'Permanent',
    status: statusIn(recipient.status),
    address: addressIn(recipient.emailAddress),
    at: textOf(bounce?.timestamp),
  }))

/** Who takes a mail out of the spam folder says the opposite of a complaint. */
const complaints = (complaint: Json | undefined): FeedbackItem[] =>
  complaint?.complaintFeedbackType === 'not-spam'
    ? []
    : recipientsIn(complaint?.complainedRecipients).map((recipient) => ({
        kind: 'complaint',
        address: addressIn(recipient.emailAddress),
        at: textOf(complaint?.timestamp),
      }))

const recipientsIn = (value: unknown): Json[] =>
  Array.isArray(value) ? value.map(asObject).filter((one) => one !== undefined) : []

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Servers write more around it. */
const statusIn = (value: unknown): string | undefined =>
  /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(textOf(value) ?? '')?.[0]

/** As some servers say it in their reports: `"Name" <name@example.com>`. */
const addressIn = (value: unknown): string => {
  const text = textOf(value)?.trim() ?? ''
  return /<([^<>]+)>$/.exec(text)?.[1] ?? text
}
