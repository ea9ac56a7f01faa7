import { basename } from 'node:path'
import type { BrokenOff, ImportReportLine } from '@rollcall/client'
import {
  CSV_SEPARATORS,
  FeedNotFound,
  type FieldNames,
  FOREIGN_COLUMNS,
  IMPORT_FIELDS,
  leaversByName,
  RECORD_FORMATS,
  type StatusMeanings,
  statusMeaningsText,
  UnusedColumns,
} from '@rollcall/core'
import { Option } from 'commander'
import { usageError } from '../cli-error.ts'
import { collected, fieldNames, statusMeanings } from '../options.ts'
import { inPath } from '../service/service.ts'
import type { Session } from '../session.ts'
import type { Field } from '../table-printer.ts'
import { FOREIGN_FORMATS, type ForeignName } from '../transfer/foreign/foreign-formats.ts'
import { type ForeignOrder, foreignRows } from '../transfer/foreign/foreign-rows.ts'
import { foreignParts } from '../transfer/foreign/foreign-source.ts'
import { ListFilter } from '../transfer/foreign/list-filter.ts'
import { ImportReport, type SubscriptionImportSummary } from '../transfer/import-report.ts'
import { formatByName, formatOfName, importSource } from '../transfer/import-source.ts'
import { countingRecords } from '../transfer/record-ends.ts'
import { REPORT, runImport } from '../transfer/run-import.ts'
import { type FileToSend, sendFile } from '../transfer/send-file.ts'
import { type Destination, withDestination, writeRecords } from '../transfer/write-records.ts'
import type { Verb } from '../verb.ts'

interface ExportOptions extends Destination {
  readonly feed?: string
  readonly status?: string
  readonly format?: string
  readonly excel?: boolean
  readonly separator?: string
}

const EXPORTED =
  'Oldest first, with the evidence of consent: in NDJSON the whole ledger of each, with the wording that was read; in ' +
  'CSV the last request and confirmation in columns of their own, and the ledger as JSON. In CSV a cell that a ' +
  'spreadsheet would take for a formula has an apostrophe in front. An import takes it away, but refuses a row if its ' +
  'address has one: to move such addresses elsewhere, use NDJSON or --excel. ' +
  '--excel writes a byte order mark, and such a cell, a long id or what looks like a number as a formula: Excel shows ' +
  'it as it is, and an import reads it back. If the computer of that Excel writes 1,5 as in German, French and Spanish, add ' +
  '--separator semicolon: else it shows one column.\n\n' +
  'A file that is named with --output appears once it is complete; only its owner can read it.'

export const subscriptionExport: Verb = {
  name: 'export',
  summary: 'Write subscriptions to a file, or to standard output',
  details: EXPORTED,
  examples: [
    'rollcall subscription export > subscriptions.ndjson',
    'rollcall subscription export --excel --output subscriptions.csv',
    'rollcall subscription export --excel --separator semicolon --output abos.csv',
    'rollcall subscription export --feed news --status confirmed --format csv --output news.csv',
  ],
  define: (command, session) =>
    withDestination(command)
      .option('--feed <name>', 'only those of this feed')
      .option('--status <status>', 'only those that are pending, confirmed or ended')
      .addOption(
        new Option('--format <format>', 'of the file (default: by its name, else ndjson)').choices(RECORD_FORMATS),
      )
      .addOption(
        new Option('--excel', 'CSV that Excel opens right, and that comes back unchanged').implies({ format: 'csv' }),
      )
      .addOption(
        new Option('--separator <word>', 'between the cells of CSV (default: comma)')
          .choices(CSV_SEPARATORS)
          .implies({ format: 'csv' }),
      )
      .action(async (options: ExportOptions) => await exportTo(session, options)),
}

const exportTo = async (session: Session, { output, replace, ...options }: ExportOptions): Promise<void> => {
  const format = options.format ?? formatOfName(output ?? '') ?? 'ndjson'
  const order = { ...options, format, excel: options.excel || undefined }
  await writeRecords(
    session,
    { output, replace },
    {
      noun: 'subscription',
      open: async (service, onProgress) =>
        countingRecords(await service.text('exportSubscriptions', order), format, onProgress),
    },
  )
}

interface ImportOptions {
  readonly format?: string
  readonly from?: ForeignName
  readonly feed?: string
  readonly list?: string
  readonly consent?: string
  readonly confirmedAt?: string
  readonly map?: FieldNames
  readonly status?: StatusMeanings
  readonly ignore?: readonly string[]
  readonly update?: string
  readonly mail?: string
  readonly dryRun?: boolean
  readonly report?: string
}

const FIELDS = `Fields: ${IMPORT_FIELDS.join(', ')}. Only email is needed. NDJSON has an object a line, CSV names its columns in the first line.`

const COLUMNS =
  'Other columns are named in the report, and not used. Who left elsewhere is never mailed: a column that speaks of ' +
  'leaving, such as unsubscribed_at, stops the import before anything is stored, as does such a name of a CSV file, and ' +
  'a row whose value does, such as inactive in a column type, is refused, until --map and --status say what it ' +
  'means, or --ignore that it decides nothing. An optional field that cannot be read, such as NULL or 0000-00-00, is left out and counted.'

const RULES =
  'A row is confirmed only with confirmed_at and consent: a text that says how consent was given, or the ledger of an ' +
  'export. Without them it is pending, and its owner gets a mail only with --mail send. A subscription that ended ' +
  'here stays ended, one that is confirmed stays as it is, and a suppressed address is refused. Who has left by the ' +
  'file, and is known here by files alone, ends. --update gives one ' +
  'that is here the name or the fields of the file where it has any, and never a status. A dry run counts an address that ' +
  'comes twice as two.'

const RUNS =
  'The file may have any length. Stop with Ctrl-C and run the same command again: rows that are there already are ' +
  'counted as such. Exit code 3 says that some rows were refused; --json and --report have a line for each, and the ' +
  'counts as the last.'

const FOREIGN =
  `--from reads the files that ${Object.values(FOREIGN_FORMATS)
    .map(({ label }) => label)
    .join(', ')} export, as they are: the CSV file, from Mailchimp also the ` +
  'ZIP archive. A contact that unsubscribed there comes as ended; one that was blocked, disabled or cleaned there, or ' +
  'whose mails came back, is left out and reported. Of a list of listmonk, export the confirmed subscribers alone: ' +
  'the file does not say who left it. Only the double opt-in of Mailchimp is evidence by itself. Others are confirmed ' +
  'if --consent says how they agreed, and --confirmed-at by when; those who came later, or have no date, stay pending.'

export const subscriptionImport: Verb = {
  name: 'import',
  summary: 'Take in subscriptions from a file, or from standard input',
  details: `${FIELDS}\n\n${COLUMNS}\n\n${RULES}\n\n${FOREIGN}\n\n${RUNS}`,
  examples: [
    'rollcall subscription import subscriptions.ndjson --dry-run',
    'rollcall subscription import members.csv --map email="E-Mail" --map name="Full Name" --report refused.ndjson',
    'rollcall subscription import people.csv --map status=type --status active=pending --status unsubscribed=ended --ignore notes',
    'rollcall subscription import people.csv --update name,fields --dry-run',
    'zcat backup.ndjson.gz | rollcall subscription import - --format ndjson',
    'rollcall subscription import audience_export.zip --from mailchimp --feed weekly --dry-run',
    'rollcall subscription import members.csv --from ghost --list Weekly --feed weekly --consent "Ghost: link in a mail" --confirmed-at 2026-01-31',
  ],
  define: (command, session) =>
    command
      .argument('<file>', 'to read; - is standard input')
      .addOption(new Option('--format <format>', 'of the file (default: by its name)').choices(RECORD_FORMATS))
      .addOption(
        new Option('--from <service>', 'whose export it is').choices(Object.keys(FOREIGN_FORMATS)).conflicts('format'),
      )
      .option('--feed <name>', 'with --from: where they subscribe to (default: default)')
      .option('--list <name>', 'with --from: only those with this label (Ghost) or tag (Buttondown, Kit, Mailchimp)')
      .option('--consent <text>', 'with --from: how those agreed whose confirmation the file does not prove')
      .option('--confirmed-at <date>', 'with --consent: by when they had')
      .option('--map <field=name>', 'what a field is called in the file; may be given for each', fieldNames)
      .option('--status <word=status>', 'what a word of the file means: pending, confirmed or ended', statusMeanings)
      .option('--ignore <column>', 'do not use this column; may be given several times', collected)
      .option('--update <what>', 'what those that are there already get from the file: name, fields, or name,fields')
      .addOption(new Option('--mail <which>', 'ask those that are new and pending to confirm').choices(['send']))
      .option('--dry-run', 'say what would become of the rows, and change nothing')
      .addOption(REPORT())
      .action(async (path: string, options: ImportOptions) => await importFrom(session, path, options)),
}

const importFrom = async (session: Session, path: string, options: ImportOptions): Promise<void> => {
  const { mail, update, dryRun = false } = options
  const { files, order, requireReadable } = await filesToImport(session, path, options)
  await runImport(session, {
    operation: 'importSubscriptions',
    path,
    dryRun,
    report: options.report,
    work: async (lines, onProgress) => {
      const report = new ImportReport(lines)
      const onRows = ({ rows }: { readonly rows: number }): void => onProgress({ rows: report.rows + rows })
      const sending = { signal: session.io.signal, onProgress: onRows }
      await session.withService(async (service) => {
        // Once, and not for each row.
        if (order?.feed !== undefined) await service.ask('getFeed', { name: inPath(FeedNotFound, order.feed) })
        await requireReadable?.()
        const all = files(report)
        for (const [n, { name, file }] of all.entries()) {
          report.begin(name)
          const sent = { ...file, dryRun, more: { ...file.more, mail, update } }
          const rows = sendFile<Exclude<ImportReportLine, BrokenOff>>(service, 'importSubscriptions', sent, sending)
          for await (const row of rows) await report.add(row)
          if (!session.io.signal.aborted && !report.isInterrupted) continue
          if (n < all.length - 1) report.interrupt()
          return
        }
        order?.list?.requireTaken()
      })
      const summary = await report.end()
      return summary && { summary, counts: countsOf(summary, dryRun) }
    },
  })
}

const countsOf = (summary: SubscriptionImportSummary, dryRun: boolean): readonly Field[] => [
  [dryRun ? 'Would be imported' : 'Imported', summary.imported],
  ['  as confirmed', summary.confirmed],
  ['  as pending', summary.pending],
  ['  as ended', summary.ended],
  ...(summary.updated === undefined ? [] : [['Updated', summary.updated] as const]),
  ['There already', summary.unchanged],
  [dryRun ? 'Would be refused' : 'Refused', summary.refused],
  ...(summary.left_out === undefined ? [] : [['Left out', summary.left_out] as const]),
]

/** A file to import, and its name if there are several. */
interface FileToImport {
  readonly name: string | undefined
  readonly file: Omit<FileToSend, 'dryRun'>
}

interface FilesToImport {
  readonly files: (report: ImportReport) => readonly FileToImport[]
  /** Of another service's files. */
  readonly order?: ForeignOrder
  /** What is wrong with the columns of one of several files is said before the first is stored. */
  readonly requireReadable?: () => Promise<void>
}

/** @throws {CliError} options that do not go together, or a file that cannot be read */
const filesToImport = async (session: Session, path: string, options: ImportOptions): Promise<FilesToImport> => {
  const { signal, stdin } = session.io
  const { from, map: names = {}, status: statuses, ignore: ignored } = options
  if (from === undefined) {
    const stray = (['feed', 'list', 'consent', 'confirmedAt'] as const).find((name) => options[name] !== undefined)
    if (stray !== undefined)
      throw usageError(
        `--${stray === 'confirmedAt' ? 'confirmed-at' : stray} goes with --from. Other files say it in a column.`,
      )
    const format = options.format ?? (await formatByName(path))
    const problem = leaversByName({ file: basename(path), format, names })
    if (problem !== undefined) throw usageError(problem)
    const more = { status: statusMeaningsText(statuses) }
    const file = { format, body: importSource(path, stdin, signal), names, ignored, more }
    return { files: () => [{ name: undefined, file }] }
  }
  const format = FOREIGN_FORMATS[from]
  const order = foreignOrderOf(options)
  const parts = await foreignParts(path, format, { stdin, signal })
  const unusedOf = () => new UnusedColumns(FOREIGN_COLUMNS, order.ignored)
  const files = (report: ImportReport) =>
    parts.map(({ name, kind, open }) => {
      const unused = unusedOf()
      report.addIgnored(unused)
      const rows = foreignRows(format, kind, open(), { order, unused, onUnsent: (row) => report.addUnsent(row) })
      return { name, file: { format: 'ndjson', body: rows } }
    })
  const requireReadable = async (): Promise<void> => {
    if (parts.length === 1) return
    for (const { kind, open } of parts) {
      const rows = foreignRows(format, kind, open(), { order, unused: unusedOf(), onUnsent: async () => {} })
      await rows.next()
      await rows.return(undefined)
    }
  }
  return { files, order, requireReadable }
}

const isDay = (text: string): boolean => {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
}

const foreignOrderOf = (options: ImportOptions): ForeignOrder => {
  const { from, feed, list, consent, confirmedAt, map: names = {}, ignore: ignored = [] } = options
  if (options.status !== undefined)
    throw usageError('--status is for other files: what the statuses of this service mean is known.')
  if ((consent === undefined) !== (confirmedAt === undefined))
    throw usageError('Give --consent and --confirmed-at together: how they agreed, and by when.')
  if (list !== undefined && from !== undefined && FOREIGN_FORMATS[from].columns.lists === undefined)
    throw usageError(
      `The export of ${FOREIGN_FORMATS[from].label} names no lists. Export each list by itself, and say with --feed where it goes.`,
    )
  if (Object.keys(names).some((field) => field !== 'email'))
    throw usageError('With --from, --map takes the name of the column email alone.')
  if (confirmedAt !== undefined && !isDay(confirmedAt))
    throw usageError('Give --confirmed-at as a date such as 2026-01-31.')
  if (confirmedAt !== undefined && confirmedAt > new Date().toISOString().slice(0, 10))
    throw usageError('Give --confirmed-at as a day that has come.')
  const evidence = consent === undefined || confirmedAt === undefined ? undefined : { consent, confirmedAt }
  return { feed, list: list === undefined ? undefined : new ListFilter(list), evidence, names, ignored }
}
