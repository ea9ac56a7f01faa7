import { STATUS } from '../error-response.ts'
import { ADMINISTRATION_SCHEMAS } from './administration-schemas.ts'
import { BULK_SCHEMAS } from './bulk-schemas.ts'
import { FEEDBACK_SCHEMAS } from './feedback-schemas.ts'
import { PREFERENCES_SCHEMAS } from './preferences-schemas.ts'
import { RECIPIENT_SCHEMAS } from './recipient-schemas.ts'
import * as s from './schema.ts'
import { STATS_SCHEMAS } from './stats-schemas.ts'
import { TOKEN_SCHEMAS } from './token-schemas.ts'

const USER_SCHEMAS = {
  UserForm: s.form({
    email: s.email,
    name: s.personName,
    roles: s.arrayOf(s.refer('Role'), 'In a form: separated by spaces.'),
  }),
  UserPatch: s.record(
    {},
    { email: s.email, name: s.personName, roles: s.arrayOf(s.refer('Role'), 'All that the user has from then on.') },
  ),
  User: s.record(
    {
      id: s.text(),
      email: s.text(),
      name: s.text(),
      roles: s.texts,
      created_at: s.time,
      updated_at: s.time,
    },
    {
      suspended_at: { ...s.time, description: 'Since when it is suspended; there only while it is.' },
      last_seen_at: {
        ...s.time,
        description:
          'The day on which a token of the user or a session of the console was last taken, as its midnight (UTC); there only once one was. It is no change of the user: neither `updated_at` nor a condition by `If-Match` follows it.',
      },
    },
  ),
  UserImportRow: s.record(
    { id: { type: 'string', pattern: '^[!-~]{1,255}$' }, email: s.email },
    {
      name: { ...s.personName, type: ['string', 'null'] },
      roles: {
        description: 'A list, or a text with spaces between them.',
        oneOf: [s.textOrNull(), s.arrayOf(s.refer('Role'))],
      },
    },
  ),
  RefusedUserRow: s.record(
    {
      line: { ...s.positive, description: 'The line of the file that the row begins in.' },
      error: s.oneOf('EmailTaken', 'InvalidInput', 'MalformedRow', 'UserDeleted', 'UserExists'),
      message: s.text('What to do about it.'),
    },
    { details: s.fieldProblems },
  ),
  UserImportSummary: s.record(
    { rows: s.count, imported: s.count, refused: s.count, interrupted: s.flag() },
    s.endOfImport,
  ),
  UserImportReportLine: {
    oneOf: [s.refer('RefusedUserRow'), s.refer('UserImportSummary'), s.refer('BrokenOff')],
    description: 'One for each refused row, then the summary; or, if the import breaks off, why.',
  },
  UserList: s.sortedListOf('User'),
  UserExport: s.record({
    user: s.refer('User'),
    subscriptions: s.arrayOf(s.refer('Subscription'), 'Of the same address.'),
    deliverability: s.orNull(
      s.record(s.deliverability),
      'The bounces of mails to the same address; null where there were none.',
    ),
    waiting_feedback: s.waitingFeedback,
    tokens: s.arrayOf(s.refer('Token'), 'Access tokens that were issued to it here, as far as they are listed.'),
    sessions: s.arrayOf(
      s.record({
        id: s.text('Opens nothing.'),
        subject: s.text(),
        role_source: s.oneOf('token', 'stored', 'operator'),
        created_at: s.time,
        seen_at: { ...s.time, description: 'Give or take a minute.' },
        expires_at: s.time,
      }),
      'Its sessions of the console.',
    ),
    audit: s.arrayOf(s.refer('AuditRecord'), 'What the user did, and what was done to it.'),
  }),
  ErasureReceipt: s.record({
    user_id: s.text(),
    deleted_at: s.time,
    deleted_by: s.textOrNull(),
    role_source: s.textOrNull(),
    channel: s.textOrNull(),
    request_id: s.textOrNull(),
    reason: s.textOrNull(),
    audit_id: { ...s.positive, description: 'The record of the deletion in the audit trail, by its own id.' },
    audit_sequence: { ...s.positiveOrNull, description: 'The number of that record; null until it is sealed.' },
    erases_at: { ...s.timeOrNull, description: 'Until then it can be restored, and nothing is erased.' },
    erased: s.record({
      ...{ users: s.count, roles: s.count, subscriptions: s.count, mails: s.count },
      tokens: { ...s.count, description: 'How many access tokens were listed. All of them stay refused.' },
    }),
    kept: s.arrayOf(s.record({ what: s.text(), count: { type: ['integer', 'null'] }, why: s.text() })),
  }),
} as const satisfies Record<string, s.Schema>

const subscribed = s.record({ name: s.text(), email: s.text('As submitted.'), id: s.subscriptionId, feed: s.text() })

export const SCHEMAS = {
  SubscribeForm: {
    ...s.form(
      { email: s.email },
      {
        name: s.personName,
        feed: s.text("The name of a feed; by default 'default'."),
        feeds: {
          ...s.arrayOf(s.resourceName, 'In place of `feed`: the names of several feeds, for which one mail is sent.'),
          minItems: 1,
          maxItems: 20,
        },
        locale: s.locale('for mails and pages'),
        website: s.honeypot,
        altcha: s.altcha,
        return_to: s.text("Where to send a browser back to: exactly one of the feed's return URLs."),
        stamp: s.text('Only for the sign-up page itself: when it was shown, signed.'),
      },
    ),
    patternProperties: {
      '^field_[a-z][a-z0-9_]{0,31}$': { description: 'The value of a field that the feed asks for.' },
    },
  },
  Challenge: s.record({ parameters: { type: 'object' }, signature: s.text() }),
  SubscriptionResult: s.record({ message: s.text(), subscription: subscribed }),
  SubscriptionsResult: s.record({
    message: s.text(),
    subscriptions: s.arrayOf(subscribed, 'One for each of the `feeds`, in their order.'),
  }),
  SignUpResult: { anyOf: [s.refer('SubscriptionResult'), s.refer('SubscriptionsResult')] },
  ConfirmationForm: s.form(
    {},
    {
      feeds: {
        ...s.arrayOf(s.resourceName),
        minItems: 1,
        description: 'Which of the feeds that the mail was about to confirm; one at least. By default all of them.',
      },
    },
  ),
  Message: s.record({ message: s.text() }),
  ReasonForm: s.form({}, { reason: s.line(500, 'The reason for the audit trail; without a name or an address.') }),
  ...PREFERENCES_SCHEMAS,
  ...USER_SCHEMAS,
  ...BULK_SCHEMAS,
  ...ADMINISTRATION_SCHEMAS,
  ...TOKEN_SCHEMAS,
  ...FEEDBACK_SCHEMAS,
  ...RECIPIENT_SCHEMAS,
  ...STATS_SCHEMAS,
  AuditRecord: s.record({
    id: { ...s.positive, description: 'From the first; there may be gaps between ids.' },
    sequence: {
      ...s.positiveOrNull,
      description: 'Its number in the trail, without gaps; null until it is sealed, within a second.',
    },
    at: s.time,
    actor: s.text(),
    role_source: s.oneOf('token', 'stored', 'operator'),
    token_id: s.textOrNull(),
    channel: s.oneOf('http', 'cli', 'library', 'feedback', 'console'),
    request_id: s.textOrNull(),
    action: s.text(),
    target: s.textOrNull(),
    outcome: s.text("'done', or the name of the error that refused it."),
    reason: s.textOrNull(),
    count: s.positive,
    roles_hash: s.textOrNull(),
  }),
  AuditList: s.listOf('AuditRecord'),
  Liveness: s.record({ status: s.always('alive') }),
  Readiness: s.record({
    status: s.oneOf('ready', 'unavailable'),
    storage: s.oneOf('ok', 'down'),
    outbox: s.oneOf('ok', 'parked', 'stuck'),
  }),
  NotReady: { anyOf: [s.refer('Readiness'), s.refer('Error')] },
  KeySet: s.record({ keys: { type: 'array', items: { type: 'object' } } }),
  OpenApi: { type: 'object' },
  Error: s.record({
    error: { ...s.oneOf(...Object.keys(STATUS)), description: 'Does not change.' },
    message: s.text('For people; says what to do.'),
  }),
  InvalidInput: s.record({ error: s.always('InvalidInput'), message: s.text(), details: s.fieldProblems }),
  InternalError: s.record({
    error: s.always('InternalError'),
    message: s.text(),
    request_id: s.text('The id to look for in the log.'),
  }),
} as const satisfies Record<string, s.Schema>

/** `Role` depends on the policy. */
export type SchemaName = keyof typeof SCHEMAS | 'Role'
