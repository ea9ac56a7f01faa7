import type { UserImportSummary } from '@rollcall/client'
import { type FieldNames, RECORD_FORMATS, USER_IMPORT_FIELDS } from '@rollcall/core'
import { Option } from 'commander'
import { collected, fieldNames } from '../options.ts'
import type { Session } from '../session.ts'
import { formatByName, importSource } from '../transfer/import-source.ts'
import type { Count } from '../transfer/report-lines.ts'
import { runImport } from '../transfer/run-import.ts'
import { sendFile } from '../transfer/send-file.ts'
import type { Verb } from '../verb.ts'

interface ImportOptions {
  readonly format?: string
  readonly map?: FieldNames
  readonly ignore?: readonly string[]
  readonly dryRun?: boolean
  readonly report?: string
}

const FIELDS = `Fields: ${USER_IMPORT_FIELDS.join(', ')}. The first two are needed. NDJSON has an object a line, CSV names its columns in the first line. Roles are a list, or a text with spaces between them.`

const COLUMNS =
  'Other columns are named in the report, and not used. One about roles or access, such as role or disabled, stops ' +
  'the import before anything is stored, until --map says what it is or --ignore that it decides nothing.'

const RULES =
  'It only adds. A row is refused if its id or its address is that of a user who is there, or its id that of a deleted ' +
  'one, or if it is of a suspended user (`suspended_at`). A dry run may miss two rows of the same id or address that ' +
  'are far apart.'

const RUNS =
  'The file may have any length, and Ctrl-C stops it: what was added stays. Exit code 3 says that some rows were ' +
  'refused; --json and --report have a line for each, and the counts as the last.'

export const userImport: Verb = {
  name: 'import',
  summary: 'Add users from a file, or from standard input',
  details: `${FIELDS}\n\n${COLUMNS}\n\n${RULES}\n\n${RUNS}`,
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
      .option('--ignore <column>', 'do not use this column; may be given several times', collected)
      .option('--dry-run', 'say what would become of the rows, and change nothing')
      .option('--report <file>', 'write the report to this file, too')
      .action(async (path: string, options: ImportOptions) => await importFrom(session, path, options)),
}

const importFrom = async (session: Session, path: string, options: ImportOptions): Promise<void> => {
  const { map: names = {}, ignore: ignored, dryRun = false, report } = options
  const format = options.format ?? (await formatByName(path))
  const { stdin, signal } = session.io
  await runImport(session, {
    operation: 'importUsers',
    dryRun,
    report,
    work: async (lines, onProgress) => {
      const file = { format, body: importSource(path, stdin, signal), names, ignored, dryRun }
      const summary = await session.withService(
        async (service) =>
          await lines.addAll<UserImportSummary>(sendFile(service, 'importUsers', file, { signal, onProgress })),
      )
      return summary && { summary, counts: countsOf(summary, dryRun) }
    },
  })
}

const countsOf = ({ imported, refused }: UserImportSummary, dryRun: boolean): readonly Count[] => [
  [dryRun ? 'Would be added' : 'Added', imported],
  [dryRun ? 'Would be refused' : 'Refused', refused],
]
