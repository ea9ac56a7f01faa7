import { auditEntryRecord, CHANNELS, ListAuditUseCase, ROLE_SOURCES } from '@rollcall/core'
import { operation, resource } from '../operation/operation.ts'
import { after } from '../operation/parameters.ts'
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
    summary: 'The audit trail, oldest first.',
    guarded: ListAuditUseCase,
    query: after("The 'next' of the page before."),
    answers: { 200: s.named('AuditList', w.listOf(AuditRecord)) },
    conditional: 'read',
    handle: async ({ useCases, query: { limit, after }, caller }) =>
      listed(await useCases.listAudit.execute({ limit, cursor: after }, caller), auditEntryRecord),
  }),
])
