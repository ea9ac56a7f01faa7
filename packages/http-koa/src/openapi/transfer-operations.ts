import { ExportSubscriptionsUseCase, ImportSubscriptionsUseCase } from '@rollcall/core'
import type { Operation, Route } from './operation.ts'

/** Subscriptions as files. */
export const TRANSFER_OPERATIONS = {
  'GET /subscriptions/export': {
    id: 'exportSubscriptions',
    summary:
      'Subscriptions with the evidence of consent, as a file of any length, oldest first. In CSV a cell that a spreadsheet would take for a formula has an apostrophe in front. An answer that breaks off is incomplete.',
    guarded: ExportSubscriptionsUseCase,
    query: {
      feed: 'Only those of this feed.',
      status: "Only those that are 'pending', 'confirmed' or 'ended'.",
      format: "'ndjson' or 'csv'; 'ndjson' where none is given.",
    },
    answers: { 200: 'export' },
    errors: ['InsufficientPermissions', 'InvalidInput'],
  },
  'POST /subscriptions/import': {
    id: 'importSubscriptions',
    summary:
      'Import subscriptions from a file of any length. The answer has a line for each refused row, and the summary as the last line. What a line reports is already stored. Read the answer while you send: the server stops reading the file while its report is not read. If storage fails on the way, the last line is an error, and the same file may be sent again.',
    guarded: ImportSubscriptionsUseCase,
    query: {
      mail: "'send' to ask those that are new and pending to confirm; otherwise no mail is sent.",
      dry_run: "'true' to report what would happen to each row, and change nothing.",
      map: "What a field is called in the file, as in 'email:E-Mail,name:Full Name'.",
    },
    body: 'import',
    answers: { 200: 'import-report' },
    errors: ['InsufficientPermissions', 'MalformedRequest', 'UnsupportedMediaType', 'InvalidInput'],
  },
} as const satisfies Record<Route, Operation>
