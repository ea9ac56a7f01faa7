import { interrupted, refusedError } from '../cli-error.ts'
import { type Progress, progressOf, stepsOf } from '../progress.ts'
import type { Session } from '../session.ts'
import type { DataMigrationOrder, DataMigrationOutcome, DataMigrationProgress } from '../storage-host.ts'
import { type Column, TablePrinter } from '../table-printer.ts'
import { counted } from '../texts.ts'
import type { Verb } from '../verb.ts'

export const migrate: Verb = {
  name: 'migrate',
  summary: 'Bring the schema of the storage up to date',
  details: 'With --check nothing is changed, and the exit code is 3 if a migration is missing.',
  onlyHere: 'Migrating',
  examples: ['rollcall migrate', 'rollcall migrate --check'],
  define: (command, session) =>
    command
      .option('--check', 'only tell what is missing')
      .action(async ({ check = false }: { readonly check?: boolean }) => await (check ? checked : migrated)(session)),
}

const migrated = async (session: Session): Promise<void> => {
  const { signal } = session.io
  const onWait = (text: string) => void session.remark(`${text}.`)
  const steps = stepsOf(session)
  steps.at('Migrating')
  const applied = await session.host
    .migrate({ onWait, signal })
    .catch((error: unknown) => {
      throw signal.aborted ? interrupted('Interrupted while it waited. Nothing was changed.') : error
    })
    .finally(() => steps.stop())
  const sentence =
    applied.length === 0 ? UP_TO_DATE : `Applied ${counted(applied.length, 'migration')}: ${applied.join(', ')}.`
  await session.answer({ applied }, sentence)
}

const checked = async (session: Session): Promise<void> => {
  const pending = await session.host.pendingMigrations()
  if (pending.length === 0) return await session.answer({ pending }, UP_TO_DATE)
  if (session.json) await session.printJson({ pending })
  const missing = `${counted(pending.length, 'migration')} missing: ${pending.join(', ')}.`
  throw refusedError('MigrationsPending', `${missing} Run \`rollcall migrate\`.`)
}

const UP_TO_DATE = 'The schema is up to date.'

const RULES =
  'Stop every instance first: a database that is in use is refused, and neither can be used meanwhile. The target is new, or empty. Every row is copied, then every column is compared, and the audit trail is recomputed. The source stays as it is. Keep the data folder: it has the secret.'

const RUNS =
  'After Ctrl-C or kill -9, run the same command again to go on. Until the move is finished, nothing serves the target. Exit code 3 says that a row is not the same, and names its table and key.'

export const migrateData: Verb = {
  name: 'migrate-data',
  summary: 'Move all data to another database, from SQLite to PostgreSQL or back',
  details: `${RULES}\n\n${RUNS}`,
  onlyHere: 'Moving data',
  examples: [
    'rollcall migrate-data --from sqlite:./data/rollcall.db --to postgres://rollcall@db.example.com/rollcall',
    'rollcall migrate-data --from postgres://rollcall@db.example.com/rollcall --to sqlite:./data/rollcall.db --json',
  ],
  define: (command, session) =>
    command
      .requiredOption('--from <url>', 'the database to move from: sqlite:<file> or postgres://...')
      .requiredOption('--to <url>', 'the database to move to')
      .action(async (order: DataMigrationOrder) => await runMigration(session, order)),
}

const DOING = { copying: 'Copying', comparing: 'Comparing' } as const

const runMigration = async (session: Session, order: DataMigrationOrder): Promise<void> => {
  const shown: { phase?: DataMigrationProgress['doing']; progress?: Progress | undefined } = {}
  const onProgress = ({ doing, rows, total }: DataMigrationProgress): void => {
    if (shown.phase !== doing) {
      shown.progress?.stop()
      shown.phase = doing
      shown.progress = progressOf(session, { doing: DOING[doing], total })
    }
    shown.progress?.reach(rows)
  }
  const began = performance.now()
  const outcome = await session.host
    .migrateData(order, { onProgress, signal: session.io.signal })
    .finally(() => shown.progress?.stop())
  await report(session, outcome, (performance.now() - began) / 1_000)
}

const report = async (session: Session, outcome: DataMigrationOutcome, seconds: number): Promise<void> => {
  const { from, to, interrupted: stopped, copied, differences, audit } = outcome
  if (session.json) await session.printJson({ ...outcome, audit: audit ?? null, seconds: Number(seconds.toFixed(3)) })
  if (stopped) throw interrupted(`Interrupted after ${copied} rows. Run the same command again: it goes on from there.`)
  if (differences.length > 0) await refuseUnlike(session, outcome)
  if (!session.json) {
    await new TablePrinter(session.stdout, TABLES, { colour: session.colour }).print(outcome.tables)
    await session.say('')
    const rows = outcome.tables.reduce((sum, table) => sum + table.rows, 0)
    const earlier = copied < rows ? ` An earlier run had copied ${rows - copied}.` : ''
    await session.say(
      `Copied ${copied} rows from ${from} to ${to} in ${seconds.toFixed(1)} s.${earlier} Compared every column of all ${rows} rows.`,
    )
  }
  if (audit !== undefined && audit.broken !== null) {
    const message = `Everything was moved as it was, but the audit trail does not hold at record ${audit.broken}. See \`rollcall audit verify\`.`
    throw refusedError('AuditBroken', message)
  }
  if (session.json) return
  await session.say(
    `The audit trail holds: ${audit?.records ?? 0} records. From now on, set ROLLCALL_DATABASE_URL to the new one;`,
  )
  await session.say('the old one is as it was: do not serve it any more, and remove it when you need it no longer.')
}

const TABLES: readonly Column<DataMigrationOutcome['tables'][number]>[] = [
  { head: 'TABLE', cell: ({ table }) => table },
  { head: 'ROWS', cell: ({ rows }) => rows },
]

type Difference = DataMigrationOutcome['differences'][number]

const DIFFERENCES: readonly Column<Difference>[] = [
  { head: 'TABLE', cell: ({ table }) => table },
  { head: 'KEY', cell: ({ key }) => key.join(', ') },
  { head: 'WHAT', cell: ({ kind, column }) => (kind === 'column' ? `another ${column}` : kind) },
]

const refuseUnlike = async (session: Session, { to, differences }: DataMigrationOutcome): Promise<never> => {
  if (!session.json) await new TablePrinter(session.stdout, DIFFERENCES, { colour: session.colour }).print(differences)
  const message = `The rows above are not in ${to} as they should be. It is not served; begin again with an empty database.`
  throw refusedError('DataDiffers', message)
}
