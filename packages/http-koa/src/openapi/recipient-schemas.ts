import { IMPORTED_CAUSES, MOST_CHECKED, SKIPPED_BECAUSE } from '@rollcall/core'
import * as s from './schema.ts'

const checked = (items: s.Schema, description: string): s.Schema => ({
  ...s.arrayOf(items, description),
  minItems: 1,
  maxItems: MOST_CHECKED,
})

/** What a sender gets and asks. */
export const RECIPIENT_SCHEMAS = {
  RecipientsHead: s.record({
    feed: s.resourceName,
    at: s.time,
    events_after: s.text("The 'after' of the events to read next: it was taken before the first recipient was read."),
  }),
  Recipient: s.record({
    id: s.subscriptionId,
    email: s.text(),
    name: s.text(),
    locale: s.textOrNull(),
    fields: { type: 'object', description: "The values of the feed's fields, by name." },
    confirmed_at: s.time,
    unsubscribe_url: s.text('Ends the subscription; in one click where a mail client sends a POST (RFC 8058).'),
    manage_url: s.text('A page that mails the link to its preferences to the address of the subscription.'),
    headers: {
      ...s.record({
        'List-Unsubscribe': s.text(),
        'List-Unsubscribe-Post': s.text(),
        'List-Id': s.text(),
      }),
      description: 'Header fields of the mail, ready to be set.',
    },
  }),
  RecipientsEnd: s.record({ recipients: s.count }),
  RecipientLine: {
    oneOf: [s.refer('RecipientsHead'), s.refer('Recipient'), s.refer('RecipientsEnd')],
    description: 'First the head, then one for each recipient, and last how many there are.',
  },
  RecipientsCheck: s.form({
    ids: checked(s.subscriptionId, 'Ids of recipients. One that comes twice is answered once.'),
  }),
  CheckedRecipients: s.record({
    send: s.arrayOf(s.subscriptionId, 'May be written to.'),
    skip: s.arrayOf(
      s.record({ id: s.subscriptionId, because: s.oneOf(...SKIPPED_BECAUSE) }),
      'Must get no mail; `unknown` also for a subscription to another feed.',
    ),
  }),
  SuppressionsCheck: s.form({
    addresses: checked(
      s.text(),
      'E-mail addresses, read as a sign-up reads them. One that comes twice is answered once.',
    ),
  }),
  CheckedSuppressions: s.record(
    {
      blocked: s.arrayOf(s.text(), 'Those that no mail may go to, as they were written.'),
      unread: s.arrayOf(
        s.text(),
        'Those that cannot be read as addresses, as they were written. Nothing is known of them: treat them as blocked.',
      ),
    },
    {
      reasons: s.arrayOf(
        s.record({ address: s.text(), because: s.oneOf('blocked', 'complaint', 'undeliverable') }),
        'Only for callers that may read suppressions.',
      ),
    },
  ),
  SuppressionImportRow: s.record(
    {
      email: s.email,
      cause: {
        ...s.oneOf(...IMPORTED_CAUSES),
        description: 'A complaint and an unsubscribed address are blocked, a bounce is undeliverable.',
      },
    },
    { at: { ...s.timeOrNull, description: 'Since when: RFC 3339, or a date; UTC without an offset. By default now.' } },
  ),
  SuppressionImportSummary: s.record(
    {
      rows: s.count,
      imported: s.count,
      unchanged: { ...s.count, description: 'Were known already.' },
      refused: s.count,
      blocked: { ...s.count, description: 'Of the imported ones: no mail may go to them any more.' },
      undeliverable: { ...s.count, description: 'Of the imported ones: mails to them come back.' },
      interrupted: s.flag(),
    },
    s.endOfImport,
  ),
  SuppressionReportLine: {
    oneOf: [s.refer('RefusedRow'), s.refer('SuppressionImportSummary'), s.refer('BrokenOff')],
    description: 'One for each refused row, then the summary; or, if the import breaks off, why.',
  },
} as const satisfies Record<string, s.Schema>
