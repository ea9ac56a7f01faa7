import {
  CSV_SEPARATORS,
  ExportSubscriptionsUseCase,
  FIELD_NAME,
  FIELD_PREFIX,
  formatOfExport,
  IMPORT_FIELDS,
  ImportSubscriptionsUseCase,
  parseRecordFormat,
  parseStatusMeanings,
  RECORD_FORMATS,
  SUBSCRIPTION_STATUSES,
} from '@rollcall/core'
import { operation, resource } from '../operation/operation.ts'
import { parameter, withDefault } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { FILE_TYPES } from '../reading/media-type.ts'
import { sendStream } from '../send.ts'
import { endOfImport, fileOf, importing, mapped, RefusedRow, reportOf, unread } from './files.ts'
import { consent, sometimes, subscription } from './subscription-record.ts'
import { OF_FEED_AND_STATUS } from './subscriptions.ts'

const ConsentEvidence = s.named(
  'ConsentEvidence',
  s.record(consent, { wording_text: s.text('What the wording said, where it was the feed’s own.') }),
)
const ExportedSubscription = s.named(
  'ExportedSubscription',
  s.record({ ...subscription, consent: s.arrayOf(ConsentEvidence, 'Oldest first.') }, sometimes),
)

const FIELD_COLUMN = `${FIELD_PREFIX}${FIELD_NAME.source.slice(1, -1)}`
const when = w.timeOrNull('RFC 3339, or a date; UTC without an offset.')

const ImportRow = s.named(
  'ImportRow',
  s.said(
    s.record(
      { email: w.email },
      {
        name: s.orNull(w.personName),
        feed: w.textOrNull("'default' where none is given."),
        locale: w.textOrNull(),
        status: s.orNull(s.said(w.status, "'confirmed' only with 'confirmed_at' and 'consent', else pending.")),
        created_at: when,
        confirmed_at: when,
        ended_at: when,
        consent: s.anything({
          description: 'How consent was given: in words, or the entries of an export.',
          oneOf: [w.textOrNull(), s.arrayOf(ConsentEvidence)].map(s.jsonOf),
        }),
        fields: s.anything({
          type: ['object', 'null'],
          description: 'All values of fields of the feed, as an export has them.',
        }),
      },
    ),
    { patternProperties: { [`^${FIELD_COLUMN}$`]: { description: 'The value of a field of the feed.' } } },
  ),
)

const ImportSummary = s.named(
  'ImportSummary',
  s.record(
    {
      rows: w.count,
      imported: w.count,
      unchanged: s.said(w.count, 'Were there already, and stay as they are.'),
      refused: w.count,
      confirmed: w.count,
      pending: w.count,
      ended: w.count,
      interrupted: s.flag(),
    },
    {
      ...endOfImport,
      unread,
      updated: s.said(w.count, 'Were there already, and got a name or fields; missing where that was not asked for.'),
    },
  ),
)

const { ignore, ...MAPPED } = mapped(
  [...IMPORT_FIELDS, FIELD_COLUMN],
  'Columns that decide nothing, or are not to. One that speaks of leaving, and is neither mapped nor ignored, stops the import before anything is stored.',
)

const MEANING = `[^,:\\r\\n]*:(?:${SUBSCRIPTION_STATUSES.join('|')})`

export const subscriptionFiles = resource('Subscriptions', [
  operation('GET /subscriptions/export', {
    id: 'exportSubscriptions',
    summary:
      'Subscriptions with the evidence of consent, as a file of any length, oldest first. In CSV a cell that a spreadsheet would take for a formula has an apostrophe in front. An import takes it away, but refuses a row if its address has one. An answer that breaks off is incomplete.',
    guarded: ExportSubscriptionsUseCase,
    query: {
      ...OF_FEED_AND_STATUS,
      format: parameter(
        "What kind of file. With 'excel' or 'separator' it is CSV, also if this is left out.",
        withDefault('ndjson', s.wordOf(RECORD_FORMATS)),
      ),
      excel: parameter(
        'CSV for Excel: with a byte order mark, and with what Excel would change, such as an id, in a formula that gives it.',
        withDefault(false, s.flag()),
      ),
      separator: parameter(
        'What separates the cells of CSV. Excel expects a semicolon if its computer writes 1,5 as in German, French and Spanish.',
        withDefault('comma', s.wordOf(CSV_SEPARATORS)),
      ),
    },
    answers: { 200: fileOf(ExportedSubscription) },
    handle: async ({ ctx, useCases, query, caller }) => {
      const pieces = await useCases.exportSubscriptions.execute(query, caller)
      const format = parseRecordFormat(formatOfExport(query))
      ctx.res.setHeader('Content-Disposition', `attachment; filename="subscriptions.${format}"`)
      await sendStream(ctx, { type: FILE_TYPES[format], pieces })
    },
  }),
  operation('POST /subscriptions/import', {
    id: 'importSubscriptions',
    summary:
      'Import subscriptions from a file of any length. The answer has a line for each refused row, and the summary as the last line, which names every column that was not used. Who has left by the file, and is known here by files alone, ends; any other that is here keeps its status. What a line reports is already stored. Read the answer while you send: the server stops reading the file while its report is not read. If storage fails on the way, the last line is an error, and the same file may be sent again.',
    guarded: ImportSubscriptionsUseCase,
    query: {
      mail: parameter('Asks those that are new and pending to confirm; otherwise no mail is sent.', s.wordOf(['send'])),
      ...MAPPED,
      status: parameter(
        "What the words mean that the file has for a status, as in 'unsubscribed:ended,active:confirmed'. A row with another word is refused.",
        s.text(undefined, { pattern: `^${MEANING}(?:,${MEANING})*$` }),
        'unsubscribed:ended',
      ),
      update: parameter(
        'What subscriptions that are there already get from the file, where it has something: never their status. By default nothing.',
        s.text(undefined, { pattern: '^(?:name|fields)(?:,(?:name|fields))?$' }),
        'name,fields',
      ),
      ignore,
    },
    body: ImportRow,
    reads: 'file',
    example: 'email,name,feed\njane@example.com,Jane Doe,default\n',
    answers: { 200: reportOf('ImportReportLine', RefusedRow, ImportSummary) },
    errors: ['UnsupportedMediaType'],
    handle: importing((file, { useCases, query, caller }) => {
      const statuses = parseStatusMeanings(query.status)
      return useCases.importSubscriptions.execute(
        { ...file, statuses, update: query.update?.split(','), mail: query.mail },
        caller,
      )
    }),
  }),
])
