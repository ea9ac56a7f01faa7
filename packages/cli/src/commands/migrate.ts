import { CliError, ExitCode } from '../cli-error.ts'
import type { Session } from '../session.ts'
import { counted } from '../texts.ts'
import type { Verb } from '../verb.ts'

export const migrate: Verb = {
  name: 'migrate',
  summary: 'Bring the schema of the storage up to date',
  details: 'With --check nothing is changed, and the exit code is 3 if a migration is missing.',
  onlyHere: 'Migrating',
  examples: ['rollcall migrate', 'rollcall migrate --check'],
  define: (command, session) => {
    command
      .option('--check', 'only tell what is missing')
      .action(async ({ check = false }: { readonly check?: boolean }) => await (check ? checked : migrated)(session))
  },
}

const migrated = async (session: Session): Promise<void> => {
  const applied = await session.host.migrate()
  const sentence =
    applied.length === 0 ? UP_TO_DATE : `Applied ${counted(applied.length, 'migration')}: ${applied.join(', ')}.`
  await session.answer({ applied }, sentence)
}

const checked = async (session: Session): Promise<void> => {
  const pending = await session.host.pendingMigrations()
  if (session.json) await session.printJson({ pending })
  else if (pending.length === 0) await session.say(UP_TO_DATE)
  if (pending.length === 0) return
  const missing = `${counted(pending.length, 'migration')} missing: ${pending.join(', ')}.`
  throw new CliError(`${missing} Run \`rollcall migrate\`.`, { name: 'MigrationsPending', exitCode: ExitCode.refused })
}

const UP_TO_DATE = 'The schema is up to date.'
