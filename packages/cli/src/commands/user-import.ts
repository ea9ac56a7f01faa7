import {
  type FieldNames,
  isRefusedRow,
  RECORD_FORMATS,
  USER_IMPORT_FIELDS,
  type UserImportReportLine,
  type UserImportSummary,
} from '@rollcall/core/all'
import { Option } from 'commander'
import { ExitCode, interrupted } from '../cli-error.ts'
import { fieldNames } from '../options.ts'
import { progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import { printCounts, printRefused, SHOWN } from '../transfer/import-report.ts'
import { formatByName, importSource } from '../transfer/import-source.ts'
import { WholeFile } from '../transfer/whole-file.ts'
import type { Verb } from '../verb.ts'

interface ImportOptions {
  readonly format?: string
  readonly map?: FieldNames
  readonly dryRun?: boolean
  readonly report?: string
}

const FIELDS = `Fields: ${USER_IMPORT_FIELDS.join(', ')}. The first two are needed; others are ignored. NDJSON has an object a line, CSV names its columns in the first line. Roles are a list, or a text with spaces between them.`

const RULES =
  'It only adds: a row is refused if its id or its address is that of a user who is there, or its id that of a deleted ' +
  'one, or if it is of a suspended user (`suspended_at`). Nothing that is there is changed. A dry run may miss two ' +
  'rows of the same id or address that are far apart.'

const RUNS =
  'The file may have any length, and Ctrl-C stops it: what was added stays. Exit code 3 says that some rows were ' +
  'refused; --json and --report have a line for each of them, and the counts as the last.'

export const userImport: Verb = {
  name: 'import',
  summary: 'Add users from a file, or from standard input',
  details: `${FIELDS}\n\n${RULES}\n\n${RUNS}`,
  examples: [
    'rollcall user import staff.csv --dry-run',
    'rollcall user import staff.csv --map id=login --map email="E-Mail" --report refused.ndjson',
    'rollcall user import - --format ndjson < users.ndjson',
  ],
  define: (command, session) =>
    command
      .argument('<file>', 'to read; - is standard input')
      .addOption(new Option('--format <format>', 'of the file (default: by its name)').choices(RECORD_FORMATS))
      .option('--map <field=name>', 'what a field is called in the file; may be given for each', fieldNames)
      .option('--dry-run', 'say what would become of the rows, and change nothing')
      .option('--report <file>', 'write the report to this file, too')
      .action(async (path: string, options: ImportOptions) => await importFrom(session, path, options)),
}

const importFrom = async (session: Session, path: string, options: ImportOptions): Promise<void> => {
  const { map: names = {}, dryRun = false } = options
  const format = options.format ?? (await formatByName(path))
  await session.requireForeign(options.report)
  const file = options.report === undefined ? undefined : await WholeFile.begin(options.report)
  const report = new UserImportReport(session, file)
  const progress = progressOf(session, { doing: dryRun ? 'Checking' : 'Importing', total: undefined })
  const body = importSource(path, session.io.stdin, session.io.signal)
  const onProgress = ({ rows }: { readonly rows: number }): void => progress?.reach(rows)
  const command = { format, body, names, dryRun, onProgress, stop: session.io.signal }
  try {
    await session.withUseCases(async ({ importUsers }, caller) => {
      for await (const line of await importUsers.execute(command, caller)) await report.add(line)
    })
  } catch (error) {
    // A report of nothing would only be in the way of the one that was there.
    await file?.discard()
    throw error
  } finally {
    progress?.stop()
  }
  await file?.finish()
  await report.print(dryRun)
  if (report.summary?.interrupted) throw interrupted('Interrupted. What was added stays.')
  if (report.summary !== undefined && report.summary.refused > 0) session.exitCode = ExitCode.refused
}

/** Every line to machines and to a file, the first refused rows and the counts to people. */
class UserImportReport {
  readonly #session: Session
  readonly #file: WholeFile | undefined
  readonly #first: { readonly line: number; readonly message: string }[] = []
  summary: UserImportSummary | undefined

  constructor(session: Session, file: WholeFile | undefined) {
    this.#session = session
    this.#file = file
  }

  async add(line: UserImportReportLine): Promise<void> {
    if (!isRefusedRow(line)) this.summary = line
    else if (this.#first.length < SHOWN) this.#first.push(line)
    await this.#file?.write(`${JSON.stringify(line)}\n`)
    if (this.#session.json) await this.#session.printJson(line)
  }

  async print(dryRun: boolean): Promise<void> {
    if (this.#session.json || this.summary === undefined) return
    const { imported, refused } = this.summary
    await printRefused(this.#session, this.#first, refused)
    await printCounts(this.#session, [
      [dryRun ? 'Would be added' : 'Added', imported],
      [dryRun ? 'Would be refused' : 'Refused', refused],
    ])
  }
}
