import { arrayOf, record, refer, type Schema, text, textOrNull, time, timeOrNull } from './schema.ts'

const count: Schema = { type: 'integer', minimum: 0 }

export const DELETION_SCHEMAS = {
  UserExport: record({
    user: refer('User'),
    subscriptions: arrayOf(refer('Subscription'), 'Of the same address.'),
    audit: arrayOf(refer('AuditRecord'), 'What the user did, and what was done to it.'),
  }),
  ErasureReceipt: record({
    user_id: text(),
    deleted_at: time,
    deleted_by: textOrNull,
    role_source: textOrNull,
    channel: textOrNull,
    request_id: textOrNull,
    reason: textOrNull,
    audit_sequence: { type: 'integer', minimum: 1 },
    erases_at: { ...timeOrNull, description: 'Until then it can be restored, and nothing is erased.' },
    erased: record({ users: count, roles: count, subscriptions: count, mails: count }),
    kept: arrayOf(record({ what: text(), count: { type: ['integer', 'null'] }, why: text() })),
  }),
} as const satisfies Record<string, Schema>
