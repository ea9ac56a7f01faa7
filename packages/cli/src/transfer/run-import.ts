import { stat } from 'node:fs/promises'
import { type FieldNames, RECORD_FORMATS, type UnreadField } from '@rollcall/core'
import { type Command, Option } from 'commander'
import { ExitCode, interrupted, usageError } from '../cli-error.ts'
import { fieldNames } from '../options.ts'
import { progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import type { Field } from '../table-printer.ts'
import { WholeFile } from '../whole-file.ts'
import { FileChanged, formatByName, importSource } from './import-source.ts'
import { ReportLines } from './report-lines.ts'
import { AFTER_INTERRUPTION, sendFile } from './send-file.ts'

/** How an import came out. */
interface ImportOutcome {
  readonly summary: {
    readonly refused: number
    readonly interrupted: boolean
    readonly ignored?: readonly string[]
    readonly unread?: readonly UnreadField[]
  }
  /** What a person is shown of it. */
  readonly counts: readonly Field[]
}

interface ImportRun {
  readonly operation: keyof typeof AFTER_INTERRUPTION
  /** The file that is read; `-` is standard input. */
  readonly path: string
  readonly dryRun: boolean
  /** The file that the report is written to, too. */
  readonly report: string | undefined
  /** Undefined if the file had nothing to import. */
  readonly work: (
    lines: ReportLines,
    onProgress: (counts: { readonly rows: number }) => void,
  ) => Promise<ImportOutcome | undefined>
}

/**
 * Runs an import with its report and its progress.
 * @throws {CliError} the report cannot be written, Ctrl-C was pressed, or something wrote to the file
 */
export const runImport = async (
  session: Session,
  { operation, path, dryRun, report, work }: ImportRun,
): Promise<void> => {
  await session.requireForeign(report)
  if (report !== undefined && (await isSameFile(report, path)))
    throw usageError(`'${report}' is the file that is imported: the report would take its place. Give another name.`)
  const file = report === undefined ? undefined : await WholeFile.begin(report, true)
  const lines = new ReportLines(session, file)
  const progress = progressOf(session, { doing: dryRun ? 'Checking' : 'Reading', total: undefined })
  let outcome: ImportOutcome | undefined
  try {
    outcome = await work(lines, ({ rows }) => progress?.reach(rows))
  } catch (error) {
    // What was stored stays, and what was refused is told nowhere else; a report of nothing would only be in the way.
    const closing = lines.isEmpty ? file?.discard() : file?.finish({ keepsDraft: true })
    await closing?.catch((trouble: Error) => session.note(trouble.message))
    throw error
  } finally {
    progress?.stop()
  }
  await file?.finish()
  if (outcome === undefined) return
  await lines.print(outcome.counts, notesOn(outcome.summary))
  if (outcome.summary.interrupted)
    throw session.io.signal.aborted ? interrupted(AFTER_INTERRUPTION[operation]) : new FileChanged(path)
  if (outcome.summary.refused > 0) session.exitCode = ExitCode.refused
}

/** Whichever of the two cannot be looked at is reported by what uses it. */
const isSameFile = async (one: string, other: string): Promise<boolean> => {
  const [first, second] = await Promise.all([one, other].map((name) => stat(name).catch(() => undefined)))
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino
}

export interface ImportOptions {
  readonly format?: string
  readonly map?: FieldNames
  readonly ignore?: readonly string[]
  readonly dryRun?: boolean
  readonly report?: string
}

export const REPORT = (): Option =>
  new Option('--report <file>', 'write the report to this file, too; one of this name is replaced')

/** What every import of a file takes. */
export const addImportOptions = (command: Command): Command =>
  command
    .argument('<file>', 'to read; - is standard input')
    .addOption(new Option('--format <format>', 'of the file (default: by its name)').choices(RECORD_FORMATS))
    .option('--map <field=name>', 'what a field is called in the file; may be given for each', fieldNames)
    .option('--dry-run', 'say what would become of the rows, and change nothing')
    .addOption(REPORT())

/** Imports a file as it is. */
export const importFile = async <Summary extends ImportOutcome['summary']>(
  session: Session,
  operation: ImportRun['operation'],
  path: string,
  { map: names, ignore: ignored, dryRun = false, report, ...options }: ImportOptions,
  countsOf: (summary: Summary, dryRun: boolean) => readonly Field[],
  more?: object,
): Promise<void> => {
  const format = options.format ?? (await formatByName(path))
  const { stdin, signal } = session.io
  await runImport(session, {
    operation,
    path,
    dryRun,
    report,
    work: async (lines, onProgress) => {
      const file = { format, body: importSource(path, stdin, signal), names, ignored, dryRun, more }
      const summary = await session.withService(
        async (service) => await lines.addAll<Summary>(sendFile(service, operation, file, { signal, onProgress })),
      )
      return summary && { summary, counts: countsOf(summary, dryRun) }
    },
  })
}

/** What of the file did not come in, though its rows did. */
const notesOn = ({ ignored = [], unread = [] }: ImportOutcome['summary']): readonly string[] => [
  ...(ignored.length > 0 ? [`Not used: ${ignored.map((name) => `'${name}'`).join(', ')}`] : []),
  ...unread.map(
    ({ field, value, count }) => `Left out of ${field}, because it cannot be read: ${count}, such as '${value}'`,
  ),
]
