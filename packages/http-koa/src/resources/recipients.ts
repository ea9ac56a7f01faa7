import {
  BLOCK_CAUSES,
  CheckRecipientsUseCase,
  CheckSuppressionsUseCase,
  ListRecipientsUseCase,
  MOST_CHECKED,
  SKIPPED_BECAUSE,
} from '@rollcall/core'
import { operation, resource } from '../operation/operation.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { FILE_TYPES } from '../reading/media-type.ts'
import { sendStream } from '../send.ts'
import { result } from './record-of.ts'

const RecipientsHead = s.named(
  'RecipientsHead',
  s.record({
    feed: w.resourceName,
    at: w.time,
    events_after: s.text("The 'after' of the events to read next: it was taken before the first recipient was read."),
  }),
)
const Recipient = s.named(
  'Recipient',
  s.record({
    id: w.subscriptionId,
    email: s.text(),
    name: s.text(),
    locale: w.textOrNull(),
    fields: s.object({}, "The values of the feed's fields, by name."),
    confirmed_at: w.time,
    unsubscribe_url: s.text('Ends the subscription; in one click where a mail client sends a POST (RFC 8058).'),
    manage_url: s.text('A page that mails the link to its preferences to the address of the subscription.'),
    headers: s.said(
      s.record({ 'List-Unsubscribe': s.text(), 'List-Unsubscribe-Post': s.text(), 'List-Id': s.text() }),
      'Header fields of the mail, ready to be set.',
    ),
  }),
)
const RecipientsEnd = s.named('RecipientsEnd', s.record({ recipients: w.count }))
const RecipientLine = s.named(
  'RecipientLine',
  s.anything({
    oneOf: [RecipientsHead, Recipient, RecipientsEnd].map(s.jsonOf),
    description: 'First the head, then one for each recipient, and last how many there are.',
  }),
)

const checked = <T>(items: s.Schema<T>, description: string) =>
  s.list(items, description, { minItems: 1, maxItems: MOST_CHECKED }) as s.Schema<readonly T[]>

export const recipients = resource('Feeds', [
  operation('GET /feeds/{name}/recipients', {
    id: 'listRecipients',
    summary:
      'The recipients of the feed, as a file of any length, in the order in which they signed up. The first line names an event: later events have the changes that the list may lack. The last line says how many recipients there are. An answer without that line is incomplete. A sender that is bound to other feeds gets the same 404 as for an unknown feed.',
    guarded: ListRecipientsUseCase,
    answers: { 200: { content: { 'application/x-ndjson': { schema: s.jsonOf(RecipientLine) } } } },
    lastLine: 'recipients',
    errors: ['FeedNotFound'],
    handle: async ({ ctx, useCases, path, caller }) => {
      const pieces = await useCases.listRecipients.execute({ feed: path.name }, caller)
      await sendStream(ctx, { type: FILE_TYPES.ndjson, pieces, cacheControl: 'no-store' })
    },
  }),
  operation('POST /feeds/{name}/recipients/check', {
    id: 'checkRecipients',
    summary: 'Say which of these recipients to write to and which to skip. Ask right before sending. Changes nothing.',
    guarded: CheckRecipientsUseCase,
    body: s.named(
      'RecipientsCheck',
      s.form({ ids: checked(w.subscriptionId, 'Ids of recipients. One that comes twice is answered once.') }),
    ),
    reads: 'json',
    example: { ids: [8127340912345678] },
    idempotent: true,
    answers: {
      200: s.named(
        'CheckedRecipients',
        s.record({
          send: s.arrayOf(w.subscriptionId, 'May be written to.'),
          skip: s.arrayOf(
            s.record({ id: w.subscriptionId, because: s.oneOf(SKIPPED_BECAUSE) }),
            'Must get no mail; `unknown` also for a subscription to another feed.',
          ),
        }),
      ),
    },
    errors: ['FeedNotFound'],
    handle: async ({ useCases, path, body, caller, whenFound }) =>
      result(await useCases.checkRecipients.execute({ feed: path.name, ...body, precondition: whenFound }, caller)),
  }),
])

/** What a sender asks of addresses that are no recipients. */
export const checkSuppressions = operation('POST /suppressions/check', {
  id: 'checkSuppressions',
  summary:
    'Which of these addresses must get no mail, because they are blocked or undeliverable. Changes nothing. A caller that may read suppressions gets the reasons, too.',
  guarded: CheckSuppressionsUseCase,
  body: s.named(
    'SuppressionsCheck',
    s.form({
      addresses: checked(
        s.text(),
        'E-mail addresses, read as a sign-up reads them. One that comes twice is answered once.',
      ),
    }),
  ),
  reads: 'json',
  example: { addresses: ['jane@example.com'] },
  idempotent: true,
  answers: {
    200: s.named(
      'CheckedSuppressions',
      s.record(
        {
          blocked: s.texts('Those that no mail may go to, as they were written.'),
          unread: s.texts(
            'Those that cannot be read as addresses, as they were written. Nothing is known of them: treat them as blocked.',
          ),
        },
        {
          reasons: s.arrayOf(
            s.record({ address: s.text(), because: s.oneOf([...BLOCK_CAUSES, 'undeliverable']) }),
            'Only for callers that may read suppressions.',
          ),
        },
      ),
    ),
  },
  handle: async ({ useCases, body, caller }) => result(await useCases.checkSuppressions.execute(body, caller)),
})
