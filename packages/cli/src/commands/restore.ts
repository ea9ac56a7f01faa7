import { CliError, ExitCode, usageError } from '../cli-error.ts'
import { collected } from '../options.ts'
import { askYesOrNo } from '../question.ts'
import type { Session } from '../session.ts'
import type { RestoreOutcome, RestorePlan } from '../storage-host.ts'
import { counted } from '../texts.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly yes?: boolean
  readonly keep?: string
  readonly tombstones: readonly string[]
  readonly withoutTombstones?: boolean
}

const RULES =
  'Stop the server first. Whatever came after the backup is lost, but not what was withdrawn: users who were deleted, ' +
  'subscriptions that were erased or ended, and addresses that want no mails are taken out of the backup before it is ' +
  'used, and the audit trail goes on where it was. All that is read from the database that is replaced.'

const LOST =
  'Where that is lost or cannot be read, say with --tombstones where to read it instead: lines of events (what ' +
  '`rollcall event list --json`, GET /events or a webhook gave) or of `rollcall audit export`, from after the backup; ' +
  'earlier ones are passed over. Without such a file, only --without-tombstones restores: persons who were deleted since come back.'

export const restore: Verb = {
  name: 'restore',
  summary: 'Put a backup in place of the SQLite database',
  details: `${RULES}\n\n${LOST}`,
  onlyHere: 'Restoring',
  examples: [
    'rollcall restore /backups/rollcall-2026-05-01.db',
    'rollcall restore /backups/rollcall.db --yes --keep /backups/replaced.db',
    'rollcall restore /backups/rollcall.db --tombstones /backups/events.ndjson',
  ],
  define: (command, session) => {
    command
      .argument('<file>', 'that `rollcall backup` made')
      .option('--yes', 'do not ask')
      .option('--keep <file>', 'move the database that is replaced there; otherwise it is gone')
      .option('--tombstones <file>', 'what was deleted since; may be given several times', collected, [])
      .option('--without-tombstones', 'restore although it is not known what was deleted since')
      .action(async (file: string, options: Options) => await restoreFrom(session, file, options))
  },
}

const restoreFrom = async (session: Session, file: string, options: Options): Promise<void> => {
  const { yes = false, keep, tombstones: withdrawals, withoutTombstones: regardless = false } = options
  if (!yes && !session.io.interactive)
    throw usageError('There is no terminal to ask on. Add --yes to restore without being asked.')
  await session.requireForeign(keep)
  const outcome = await session.host.restore({ file, withdrawals, regardless, keep }, async (plan) => {
    session.throwIfInterrupted()
    for (const silent of plan.silent) await session.note(nothingIn(silent))
    if (yes) return
    for (const line of described(plan)) await session.note(line)
    if (!(await askYesOrNo(session.io, question(plan)))) throw declined()
  })
  if (session.json) return await session.printJson(documentOf(outcome))
  for (const line of described(outcome)) await session.say(line)
  await session.say(`Restored from ${outcome.file}.${ofKeys(outcome)}${ofReplaced(outcome)} Start the server again.`)
}

const nothingIn = (file: string): string =>
  `'${file}' is empty: it says nothing of what was deleted. If the file is not the right one, persons who were deleted since come back.`

const question = ({ replaced }: RestorePlan): string =>
  replaced === 'none' ? 'Restore it?' : 'Put the backup in place of the database?'

const declined = (): CliError =>
  new CliError('Nothing was replaced, because it was not confirmed.', {
    name: 'NotConfirmed',
    exitCode: ExitCode.refused,
  })

const described = ({ backup, replaced, reapplied, caution }: RestorePlan): string[] => [
  `The backup holds ${holdings(backup)}.`,
  ...(typeof replaced === 'string'
    ? [REPLACED[replaced]]
    : [`The database that it replaces holds ${holdings(replaced)}.`]),
  `Taken out of the backup, because it was withdrawn since: ${counted(reapplied.users, 'user')} deleted, ` +
    `${counted(reapplied.erased, 'subscription')} erased, ${counted(reapplied.ended, 'subscription')} ended; ` +
    `${counted(reapplied.suppressions, 'suppression')} more.`,
  ...(caution === undefined ? [] : [CAUTION[caution]]),
]

const holdings = ({ subscriptions, users, auditRecord, event }: RestorePlan['backup']): string =>
  `${counted(subscriptions, 'subscription')} and ${counted(users, 'user')}, up to audit record ${auditRecord} and event ${event}`

const REPLACED = {
  none: 'There is no database to replace.',
  unreadable: 'The database that it replaces cannot be read.',
} as const

const CAUTION = {
  branched:
    'That database was itself restored from another backup: its audit records of since then do not go on in this one.',
  pruned:
    'The backup is older than the events that are kept: whatever the database did not have any more was taken out.',
} as const

const ofKeys = ({ files }: RestoreOutcome): string =>
  files.length === 0 ? '' : ` ${files.join(' and ')} came back with it.`

const ofReplaced = ({ kept }: RestoreOutcome): string =>
  kept === undefined ? '' : ` What was there is now ${kept}: it holds what was deleted, so do not keep it for long.`

const documentOf = ({ file, backup, replaced, reapplied, caution, silent, files, kept }: RestoreOutcome) => ({
  file,
  backup: pointOf(backup),
  replaced: typeof replaced === 'string' ? replaced : pointOf(replaced),
  reapplied,
  caution: caution ?? null,
  silent,
  files,
  kept: kept ?? null,
})

const pointOf = ({ auditRecord, event, subscriptions, users }: RestorePlan['backup']) => ({
  audit_record: auditRecord,
  event,
  subscriptions,
  users,
})
