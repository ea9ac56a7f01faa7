import { IMPORT_FIELDS, RECORD_FORMATS } from '@rollcall/core/all'
import { InvalidArgumentError, Option } from 'commander'
import { ExitCode, interrupted } from '../cli-error.ts'
import { progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import { counted, visibleLines } from '../texts.ts'
import { ImportReport } from '../transfer/import-report.ts'
import { formatByName, importSource } from '../transfer/import-source.ts'
import { WholeFile } from '../transfer/whole-file.ts'
import type { Verb } from '../verb.ts'

interface ExportOptions {
  readonly feed?: string
  readonly status?: string
  readonly format: string
  readonly output?: string
}

const EXPORTED =
  'Oldest first, with the evidence of consent: in NDJSON the whole ledger of each, with the wording that was read; in ' +
  'CSV the last request and confirmation in columns of their own, and the ledger as JSON. In CSV a cell that a ' +
  'spreadsheet would take for a formula has an apostrophe in front; to move subscriptions elsewhere, use NDJSON.\n\n' +
  'A file that is named with --output appears once it is complete; only its owner can read it.'

export const subscriptionExport: Verb = {
  name: 'export',
  summary: 'Write subscriptions to a file, or to standard output',
  details: EXPORTED,
  examples: [
    'rollcall subscription export > subscriptions.ndjson',
    'rollcall subscription export --feed news --status confirmed --format csv --output news.csv',
  ],
  define: (command, session) =>
    command
      .option('--feed <name>', 'only those of this feed')
      .option('--status <status>', 'only those that are pending, confirmed or ended')
      .addOption(new Option('--format <format>', 'of the file').choices(RECORD_FORMATS).default('ndjson'))
      .option('--output <file>', 'write to this file')
      .action(async (options: ExportOptions) => await exportTo(session, options)),
}

const exportTo = async (session: Session, { output, ...order }: ExportOptions): Promise<void> => {
  await session.requireForeign(output)
  const file = output === undefined ? undefined : await WholeFile.begin(output)
  const onTerminal = file === undefined && session.stdout.width !== undefined
  const progress = onTerminal ? undefined : progressOf(session, { doing: 'Exporting', total: undefined })
  let count = 0
  const onProgress = (subscriptions: number): void => {
    count = subscriptions
    progress?.reach(count)
  }
  try {
    await session.withUseCases(async ({ exportSubscriptions }, caller) => {
      for await (const text of await exportSubscriptions.execute({ ...order, onProgress }, caller)) {
        session.throwIfInterrupted()
        if (file !== undefined) await file.write(text)
        else await session.stdout.write(onTerminal ? visibleLines(text) : text)
        if (session.stdout.closed) break
      }
    })
  } catch (error) {
    await file?.discard()
    throw error
  } finally {
    progress?.stop()
  }
  if (file === undefined) return
  await file.finish()
  await session.answer({ file: output, rows: count }, `Wrote ${counted(count, 'subscription')} to ${output}.`)
}

type Names = Readonly<Record<string, string>>

interface ImportOptions {
  readonly format?: string
  readonly map?: Names
  readonly mail?: string
  readonly dryRun?: boolean
  readonly report?: string
}

const FIELDS = `Fields: ${IMPORT_FIELDS.join(', ')}. Only email is needed; others are ignored. NDJSON has an object a line, CSV names its columns in the first line.`

const RULES =
  'A row is confirmed only with confirmed_at and consent: a text that says how consent was given, or the ledger ' +
  'of an export. Without them it is pending, and its owner gets a mail only with --mail send. A subscription ' +
  'that has ended here stays ended, one that is confirmed here stays as it is, and a suppressed address is ' +
  'refused.'

const RUNS =
  'The file may have any length. Stop with Ctrl-C and run the same command again: rows that are there already ' +
  'are counted as such. Exit code 3 says that some rows were refused; --json and --report have a line for each ' +
  'of them, and the counts as the last.'

export const subscriptionImport: Verb = {
  name: 'import',
  summary: 'Take in subscriptions from a file, or from standard input',
  details: `${FIELDS}\n\n${RULES}\n\n${RUNS}`,
  examples: [
    'rollcall subscription import subscriptions.ndjson --dry-run',
    'rollcall subscription import members.csv --map email="E-Mail" --map name="Full Name" --report refused.ndjson',
    'zcat backup.ndjson.gz | rollcall subscription import - --format ndjson',
  ],
  define: (command, session) =>
    command
      .argument('<file>', 'to read; - is standard input')
      .addOption(new Option('--format <format>', 'of the file (default: by its name)').choices(RECORD_FORMATS))
      .option('--map <field=name>', 'what a field is called in the file; may be given for each', fieldName)
      .addOption(new Option('--mail <which>', 'ask those that are new and pending to confirm').choices(['send']))
      .option('--dry-run', 'say what would become of the rows, and change nothing')
      .option('--report <file>', 'write the report to this file, too')
      .action(async (path: string, options: ImportOptions) => await importFrom(session, path, options)),
}

const fieldName = (text: string, before: Names = {}): Names => {
  const [, field = '', name = ''] = /^([a-z_]+)=(.+)$/.exec(text) ?? []
  if (field === '' || Object.hasOwn(before, field))
    throw new InvalidArgumentError('Write it as email="E-Mail", and give each field once.')
  return { ...before, [field]: name }
}

const importFrom = async (session: Session, path: string, options: ImportOptions): Promise<void> => {
  const { signal, stdin } = session.io
  const { map: names = {}, mail, dryRun = false, format = await formatByName(path) } = options
  await session.requireForeign(options.report)
  const file = options.report === undefined ? undefined : await WholeFile.begin(options.report)
  const report = new ImportReport(session, file)
  const progress = progressOf(session, { doing: dryRun ? 'Checking' : 'Importing', total: undefined })
  const onProgress = ({ rows }: { readonly rows: number }): void => progress?.reach(rows)
  const body = importSource(path, stdin, signal)
  const command = { format, body, names, mail, dryRun, onProgress, stop: signal }
  try {
    await session.withUseCases(async ({ importSubscriptions }, caller) => {
      for await (const line of await importSubscriptions.execute(command, caller)) await report.add(line)
    })
  } catch (error) {
    // A report of nothing would only be in the way of the one that was there.
    await file?.discard()
    throw error
  } finally {
    progress?.stop()
  }
  await file?.finish()
  await report.print({ dryRun })
  if (report.summary?.interrupted)
    throw interrupted('Interrupted. Run the same command again to go on where it stopped.')
  if (report.summary !== undefined && report.summary.refused > 0) session.exitCode = ExitCode.refused
}
