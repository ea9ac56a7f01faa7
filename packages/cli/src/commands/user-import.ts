import type { UserImportSummary } from '@rollcall/client'
import { USER_IMPORT_FIELDS } from '@rollcall/core'
import { collected } from '../options.ts'
import type { Field } from '../table-printer.ts'
import { addImportOptions, type ImportOptions, importFile } from '../transfer/run-import.ts'
import type { Verb } from '../verb.ts'

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
    addImportOptions(command)
      .option('--ignore <column>', 'do not use this column; may be given several times', collected)
      .action(
        async (path: string, options: ImportOptions) =>
          await importFile<UserImportSummary>(session, 'importUsers', path, options, countsOf),
      ),
}

const countsOf = ({ imported, refused }: UserImportSummary, dryRun: boolean): readonly Field[] => [
  [dryRun ? 'Would be added' : 'Added', imported],
  [dryRun ? 'Would be refused' : 'Refused', refused],
]
