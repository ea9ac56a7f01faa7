import {
  type BlockReason,
  IMPORTED_CAUSES,
  isRefusedRow,
  MOST_CHECKED,
  RECORD_FORMATS,
  type SuppressionReportLine,
  type SuppressionSummary,
} from '@rollcall/core/all'
import { Option } from 'commander'
import { ExitCode, interrupted } from '../cli-error.ts'
import { progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import { type Column, TablePrinter } from '../table-printer.ts'
import { printCounts, printRefused, SHOWN } from '../transfer/import-report.ts'
import { formatByName, importSource } from '../transfer/import-source.ts'
import { WholeFile } from '../transfer/whole-file.ts'
import { wordsFrom } from '../transfer/words-from.ts'
import type { Verb } from '../verb.ts'

interface Blocked {
  readonly address: string
  readonly because: BlockReason | undefined
}

const COLUMNS: readonly Column<Blocked>[] = [
  { head: 'ADDRESS', cell: ({ address }) => address },
  { head: 'BECAUSE', cell: ({ because }) => because ?? '' },
]

export const suppressionCheck: Verb = {
  name: 'check',
  summary: 'Say to which addresses no mail may go',
  details:
    'They are blocked, or mails to them come back. Who only refused our own mails is not among them. Exit code 3 says ' +
    'that there are any.',
  examples: ['rollcall suppression check ada@example.com', 'rollcall suppression check --from addresses.txt --json'],
  define: (command, session) =>
    command
      .argument('[address...]', 'e-mail addresses')
      .option('--from <file>', 'read the addresses from this file, one per line; - is standard input')
      .action(async (addresses: string[], { from }: { from?: string }) => await checkAll(session, addresses, from)),
}

const checkAll = async (session: Session, words: readonly string[], from?: string): Promise<void> => {
  const found: Blocked[] = []
  for await (const addresses of wordsFrom(session, words, { from, atOnce: MOST_CHECKED, what: 'addresses' })) {
    const { blocked, reasons } = await session.execute('checkSuppressions', { addresses })
    const known = new Map(reasons?.map(({ address, because }) => [address, because]))
    found.push(...blocked.map((address) => ({ address, because: known.get(address) })))
  }
  if (found.length > 0) session.exitCode = ExitCode.refused
  if (session.json) {
    const reasons = found.filter(({ because }) => because !== undefined)
    return await session.printJson({
      blocked: found.map(({ address }) => address),
      ...(reasons.length > 0 && { reasons }),
    })
  }
  if (found.length === 0) return await session.say('Mails may go to all of them.')
  await new TablePrinter(session.stdout, COLUMNS, session).print(found)
}

interface ImportOptions {
  readonly format?: string
  readonly dryRun?: boolean
  readonly report?: string
}

const FIELDS =
  `Fields: email, cause and at. The cause is one of ${IMPORTED_CAUSES.join(', ')}; at is the time, by default now. ` +
  'A complaint, and an unsubscribed or blocked address, get no mail any more; a bounce is undeliverable. NDJSON has an ' +
  'object a line, CSV names its columns in the first line.'

const RUNS =
  'It only adds, and the same file may be imported again. The file may have any length, and Ctrl-C stops it. Exit code ' +
  '3 says that some rows were refused; --json and --report have a line for each of them, and the counts as the last.'

export const suppressionImport: Verb = {
  name: 'import',
  summary: 'Take over addresses that another service for mails has suppressed',
  details: `${FIELDS}\n\n${RUNS}`,
  examples: [
    'rollcall suppression import suppressed.csv --dry-run',
    'rollcall suppression import - --format ndjson < suppressed.ndjson',
  ],
  define: (command, session) =>
    command
      .argument('<file>', 'to read; - is standard input')
      .addOption(new Option('--format <format>', 'of the file (default: by its name)').choices(RECORD_FORMATS))
      .option('--dry-run', 'say what would become of the rows, and change nothing')
      .option('--report <file>', 'write the report to this file, too')
      .action(async (path: string, options: ImportOptions) => await importFrom(session, path, options)),
}

const importFrom = async (
  session: Session,
  path: string,
  { dryRun = false, ...options }: ImportOptions,
): Promise<void> => {
  const format = options.format ?? (await formatByName(path))
  await session.requireForeign(options.report)
  const file = options.report === undefined ? undefined : await WholeFile.begin(options.report)
  const progress = progressOf(session, { doing: dryRun ? 'Checking' : 'Importing', total: undefined })
  const body = importSource(path, session.io.stdin, session.io.signal)
  const onProgress = ({ rows }: { readonly rows: number }): void => progress?.reach(rows)
  const first: { readonly line: number; readonly message: string }[] = []
  let summary: SuppressionSummary | undefined
  const add = async (line: SuppressionReportLine): Promise<void> => {
    if (!isRefusedRow(line)) summary = line
    else if (first.length < SHOWN) first.push(line)
    await file?.write(`${JSON.stringify(line)}\n`)
    if (session.json) await session.printJson(line)
  }
  const command = { format, body, dryRun, onProgress, stop: session.io.signal }
  try {
    await session.withUseCases(async ({ importSuppressions }, caller) => {
      for await (const line of await importSuppressions.execute(command, caller)) await add(line)
    })
  } catch (error) {
    // A report of nothing would only be in the way of the one that was there.
    await file?.discard()
    throw error
  } finally {
    progress?.stop()
  }
  await file?.finish()
  await conclude(session, summary, first, dryRun)
}

const conclude = async (
  session: Session,
  summary: SuppressionSummary | undefined,
  first: readonly { readonly line: number; readonly message: string }[],
  dryRun: boolean,
): Promise<void> => {
  if (summary === undefined) return
  const { imported, blocked, undeliverable, unchanged, refused } = summary
  if (!session.json) {
    await printRefused(session, first, refused)
    await printCounts(session, [
      [dryRun ? 'Would be imported' : 'Imported', imported],
      ['  as blocked', blocked],
      ['  as undeliverable', undeliverable],
      ['Known already', unchanged],
      [dryRun ? 'Would be refused' : 'Refused', refused],
    ])
  }
  if (summary.interrupted) throw interrupted('Interrupted. Run the same command again to go on where it stopped.')
  if (refused > 0) session.exitCode = ExitCode.refused
}
