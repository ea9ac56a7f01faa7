import type { SuppressionImportSummary } from '@rollcall/client'
import { type BlockReason, type CauseMeanings, causeMeaningsText, IMPORTED_CAUSES, MOST_CHECKED } from '@rollcall/core'
import { ExitCode } from '../cli-error.ts'
import { causeMeanings } from '../options.ts'
import type { Session } from '../session.ts'
import { type Column, type Field, TablePrinter } from '../table-printer.ts'
import { addImportOptions, type ImportOptions, importFile } from '../transfer/run-import.ts'
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
    const answer = await session.ask('checkSuppressions', { body: { addresses } })
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

const FIELDS =
  `Fields: email, cause and at. The cause is one of ${IMPORTED_CAUSES.join(', ')}; at is the time, by default now. ` +
  'Words of other services, such as HardBounce or SpamComplaint, are known; --cause says what others mean, or the cause of all ' +
  'rows that have none. A complaint, and an unsubscribed or blocked address, get no mail any more; a bounce is undeliverable. NDJSON has an ' +
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
    'rollcall suppression import postmark.csv --map email=Recipient --map cause=Reason --map at=CreatedAt',
    'rollcall suppression import sendgrid-bounces.csv --cause bounce --map at=created',
    'rollcall suppression import - --format ndjson < suppressed.ndjson',
  ],
  define: (command, session) =>
    addImportOptions(command)
      .option(
        '--cause <word=cause>',
        'what a word of the file means; without a word, of all rows that say none',
        causeMeanings,
      )
      .action(async (path: string, { cause, ...options }: ImportOptions & { readonly cause?: CauseMeanings }) => {
        const more = { cause: causeMeaningsText(cause) }
        await importFile<SuppressionImportSummary>(session, 'importSuppressions', path, options, countsOf, more)
      }),
}

const countsOf = (summary: SuppressionImportSummary, dryRun: boolean): readonly Field[] => [
  [dryRun ? 'Would be imported' : 'Imported', summary.imported],
  ['  as blocked', summary.blocked],
  ['  as undeliverable', summary.undeliverable],
  ['Known already', summary.unchanged],
  [dryRun ? 'Would be refused' : 'Refused', summary.refused],
]
