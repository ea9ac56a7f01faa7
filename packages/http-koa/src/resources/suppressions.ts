import {
  IMPORTED_CAUSES,
  ImportSuppressionsUseCase,
  LIFTED_CAUSES,
  LiftSuppressionUseCase,
  ListSuppressionsUseCase,
  parseCauseMeanings,
  publishedSuppression,
  SUPPRESSION_FIELDS,
} from '@rollcall/core'
import { operation, resource } from '../operation/operation.ts'
import { PAGING, parameter } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { DRY_RUN, endOfImport, fieldMap, importing, RefusedRow, reportOf, unread } from './files.ts'
import { checkSuppressions } from './recipients.ts'
import { DONE, listed } from './record-of.ts'

const Suppression = s.named('Suppression', s.record({ address: w.hash, ...w.suppression }))

const SuppressionImportRow = s.named(
  'SuppressionImportRow',
  s.record(
    {
      email: w.email,
      cause: s.oneOf(
        IMPORTED_CAUSES,
        'A complaint and an unsubscribed address are blocked, a bounce is undeliverable.',
      ),
    },
    { at: w.timeOrNull('Since when: RFC 3339, or a date; UTC without an offset. By default now.') },
  ),
)

const SuppressionImportSummary = s.named(
  'SuppressionImportSummary',
  s.record(
    {
      rows: w.count,
      imported: w.count,
      unchanged: s.said(w.count, 'Were known already, or are bounces from before a confirmation.'),
      refused: w.count,
      blocked: s.said(w.count, 'Of the imported ones: no mail may go to them any more.'),
      undeliverable: s.said(w.count, 'Of the imported ones: mails to them come back.'),
      interrupted: s.flag(),
    },
    { ...endOfImport, unread },
  ),
)

const CAUSE = `(?:[^,:\\r\\n]+:)?(?:${IMPORTED_CAUSES.join('|')})`

export const suppressions = resource('Suppressions', [
  operation('GET /suppressions', {
    id: 'listSuppressions',
    summary: 'Addresses that get no mail of ours, or none at all, by hash, in the order in which they were suppressed.',
    guarded: ListSuppressionsUseCase,
    query: PAGING,
    answers: { 200: s.named('SuppressionList', w.listOf(Suppression)) },
    conditional: 'read',
    handle: async ({ useCases, query, caller }) =>
      listed(await useCases.listSuppressions.execute(query, caller), publishedSuppression),
  }),
  checkSuppressions,
  operation('POST /suppressions/import', {
    id: 'importSuppressions',
    summary:
      'Take over a list of addresses that must get no mail, from a file of any length. A complaint and an unsubscribed address are blocked, a bounce is undeliverable. A time that cannot be read is left out. The answer has a line for each refused row, and the summary as the last line. What a line reports is already stored; the same file may be sent again.',
    guarded: ImportSuppressionsUseCase,
    query: {
      ...DRY_RUN,
      map: fieldMap(SUPPRESSION_FIELDS, 'email:Recipient,cause:Reason'),
      cause: parameter(
        "What the words mean that the file has for a cause, as in 'Manual:blocked'; a cause alone is that of rows that say none. Words of other services, such as 'HardBounce', are known. A row with another word is refused.",
        s.text(undefined, { pattern: `^${CAUSE}(?:,${CAUSE})*$` }),
        'bounce',
      ),
    },
    body: SuppressionImportRow,
    reads: 'file',
    example: 'email,cause,at\njane@example.com,unsubscribed,2026-01-31\n',
    answers: { 200: reportOf('SuppressionReportLine', RefusedRow, SuppressionImportSummary) },
    errors: ['UnsupportedMediaType'],
    handle: importing((file, { useCases, query, caller }) => {
      const causes = parseCauseMeanings(query.cause)
      return useCases.importSuppressions.execute({ ...file, causes }, caller)
    }),
  }),
  operation('DELETE /suppressions/{address}', {
    id: 'liftSuppression',
    summary:
      'Let mails go to an address again, and to its mailbox. A hash from the list is lifted alone. Where it is both refused by its owner and blocked, `cause` says which to lift.',
    guarded: LiftSuppressionUseCase,
    query: { cause: parameter('Lifts this one alone, or all.', s.wordOf(LIFTED_CAUSES)) },
    answers: { 204: null },
    conditional: 'presence',
    errors: ['SuppressionNotFound'],
    handle: async ({ useCases, path, query, caller, precondition }) => {
      await useCases.liftSuppression.execute({ ...path, ...query, precondition: precondition() }, caller)
      return DONE
    },
  }),
])
