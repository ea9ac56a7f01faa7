import { AUDIT_ACTIONS, CHANNELS, ListAuditUseCase, publishedAuditRecord, ROLE_SOURCES } from '@rollcall/core'
import { operation, resource } from '../operation/operation.ts'
import { after, parameter, SORTING } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { listed } from './record-of.ts'

export const AuditRecord = s.named(
  'AuditRecord',
  s.record({
    id: s.said(w.positive, 'From the first; there may be gaps between ids.'),
    sequence: s.orNull(
      s.said(w.positive, 'Its number in the trail, without gaps; null until it is sealed, within a second.'),
    ),
    at: w.time,
    actor: s.text(),
    role_source: s.oneOf(ROLE_SOURCES),
    token_id: w.textOrNull(),
    channel: s.oneOf(CHANNELS),
    request_id: w.textOrNull(),
    action: s.text(),
    target: w.textOrNull(),
    outcome: s.text("'done', or the name of the error that refused it."),
    reason: w.textOrNull(),
    count: w.positive,
    roles_hash: w.textOrNull(),
  }),
)

export const audit = resource('Audit', [
  operation('GET /audit', {
    id: 'listAudit',
    summary:
      'The audit trail, oldest first unless sorted otherwise. A page may have fewer records than there are, or none: read on while there is a `next`.',
    guarded: ListAuditUseCase,
    query: {
      ...after("The 'next' of the page before.", w.signedCursor),
      action: parameter('Only records of this action.', s.oneOf(AUDIT_ACTIONS), 'user.delete'),
      target: parameter('Only records about this user, feed or other thing.', w.line(255), 'jane'),
      since: parameter(
        'Only what was done at this time (RFC 3339), or on this day, or later.',
        w.line(40),
        '2026-01-31',
      ),
      sort: SORTING.sort,
    },
    answers: { 200: s.named('AuditList', w.listOf(AuditRecord)) },
    conditional: 'read',
    handle: async ({ useCases, query: { after: cursor, ...query }, caller }) =>
      listed(await useCases.listAudit.execute({ ...query, cursor }, caller), publishedAuditRecord),
  }),
])
