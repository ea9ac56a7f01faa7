import {
  type BlockReason,
  IMPORTED_CAUSES,
  MOST_CHECKED,
  RECORD_FORMATS,
  type SuppressionSummary,
} from '@rollcall/core'
import { Option } from 'commander'
import { ExitCode } from '../cli-error.ts'
import type { Session } from '../session.ts'
import { type Column, TablePrinter } from '../table-printer.ts'
import { formatByName, importSource } from '../transfer/import-source.ts'
import type { Count } from '../transfer/report-lines.ts'
import { runImport } from '../transfer/run-import.ts'
import { wordsFrom } from '../transfer/words-from.ts'
import type { Verb } from '../verb.ts'

interface Blocked {
  readonly address: string
  readonly because: BlockReason | 'no address' | undefined
}

const COLUMNS: readonly Column<Blocked>[] = [
  { head: 'ADDRESS', cell: ({ address }) => address },
  { head: 'BECAUSE', cell: ({ because }) => because ?? '' },
]

export const suppressionCheck: Verb = {
  name: 'check',
  summary: 'Say which addresses must get no mail',
  details:
    'They are blocked, or mails to them come back, or they cannot be read as addresses. An address whose owner only ' +
    'refused our own mails is not one of them. Exit code 3 says that there are some.',
  examples: ['rollcall suppression check ada@example.com', 'rollcall suppression check --from addresses.txt --json'],
  define: (command, session) =>
    command
      .argument('[address...]', 'e-mail addresses')
      .option('--from <file>', 'read the addresses from this file, one per line; - is standard input')
      .action(async (addresses: string[], { from }: { from?: string }) => await checkAll(session, addresses, from)),
}

const checkAll = async (session: Session, words: readonly string[], from?: string): Promise<void> => {
  const blocked: Blocked[] = []
  const unread: string[] = []
  for await (const addresses of wordsFrom(session, words, { from, atOnce: MOST_CHECKED, what: 'addresses' })) {
    const answer = await session.execute('checkSuppressions', { addresses })
    const known = new Map(answer.reasons?.map(({ address, because }) => [address, because]))
    blocked.push(...answer.blocked.map((address) => ({ address, because: known.get(address) })))
    unread.push(...answer.unread)
  }
  const found = [...blocked, ...unread.map((address) => ({ address, because: 'no address' as const }))]
  if (found.length > 0) session.exitCode = ExitCode.refused
  if (session.json) {
    const reasons = blocked.filter(({ because }) => because !== undefined)
    return await session.printJson({
      blocked: blocked.map(({ address }) => address),
      unread,
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
  'object a line, CSV names its columns in the first line. Other columns are not used, and are named in the report.'

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
  { dryRun = false, report, ...options }: ImportOptions,
): Promise<void> => {
  const format = options.format ?? (await formatByName(path))
  const { stdin, signal } = session.io
  await runImport(session, {
    operation: 'importSuppressions',
    dryRun,
    report,
    work: async (lines, onProgress) => {
      const command = { format, body: importSource(path, stdin, signal), dryRun, onProgress, stop: signal }
      const summary = await session.withUseCases(
        async ({ importSuppressions }, caller) => await lines.addAll(await importSuppressions.execute(command, caller)),
      )
      return summary && { summary, counts: countsOf(summary, dryRun) }
    },
  })
}

const countsOf = (summary: SuppressionSummary, dryRun: boolean): readonly Count[] => [
  [dryRun ? 'Would be imported' : 'Imported', summary.imported],
  ['  as blocked', summary.blocked],
  ['  as undeliverable', summary.undeliverable],
  ['Known already', summary.unchanged],
  [dryRun ? 'Would be refused' : 'Refused', summary.refused],
]
