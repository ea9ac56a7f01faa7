import { interrupted, usageError } from '../cli-error.ts'
import { collected } from '../options.ts'
import { type Progress, progressOf, stepsOf } from '../progress.ts'
import { agree, requireTerminal } from '../question.ts'
import type { Session } from '../session.ts'
import type {
  BackupOrder,
  BackupOutcome,
  BackupStep,
  RestoreOutcome,
  RestorePlan,
  RestorePoint,
  VerifyOrder,
  VerifyOutcome,
} from '../storage-host.ts'
import { counted, inWords } from '../texts.ts'
import type { Verb } from '../verb.ts'

const BACKING_UP =
  'Does not delay the server. The file holds everything that was answered before it was begun, and nothing that was ' +
  'erased; it appears under its name once it is complete and was checked. It has no keys: keep the secret, ' +
  'link-keys.json and signing-keys.json of the data folder elsewhere, because `rollcall restore` needs them. With ' +
  '--with-keys they are in it, and anyone who has the file can sign; a secret that is not that of the database is ' +
  'refused. Mail files, and texts and pages of your own, are not in it.\n\n' +
  '--verify compares a backup with the digest in it, and checks its schema and structure, without a data folder; exit ' +
  'code 4 says that it is damaged or was changed. A database on PostgreSQL is backed up there.'

const OWN = 'a table, trigger or view of your own application that is in it; may be given several times'

export const backup: Verb = {
  name: 'backup',
  summary: 'Copy the SQLite database to a file, also while it is served',
  details: BACKING_UP,
  onlyHere: 'Backing up',
  needsNoService: ({ verify = false }) => verify,
  examples: [
    'rollcall backup /backups/rollcall-$(date +%F).db',
    'rollcall backup /backups/rollcall.db --replace --with-keys --json',
    'rollcall backup --verify /backups/rollcall-2026-05-01.db',
  ],
  define: (command, session) =>
    command
      .argument('<file>', 'to write; only its owner can read it')
      .option('--replace', 'in place of an earlier backup of this name, once the new one is whole')
      .option('--with-keys', 'with the secret, the link keys and the signing keys: all that a restore needs')
      .option('--verify', 'check a backup that is there, and write nothing')
      .option('--own <name>', `with --verify: ${OWN}`, collected)
      .action(async (file: string, { replace = false, withKeys = false, verify = false, own = [] }: BackupFlags) => {
        if (verify && (replace || withKeys))
          throw usageError('--verify writes nothing. Leave out --replace and --with-keys.')
        if (!verify && own.length > 0) throw usageError('--own is for --verify and for `rollcall restore`.')
        await (verify ? verifyFile(session, { file, own }) : backUp(session, { file, replace, keys: withKeys }))
      }),
}

interface BackupFlags {
  readonly replace?: boolean
  readonly withKeys?: boolean
  readonly verify?: boolean
  readonly own?: readonly string[]
}

const STEPS: Readonly<Record<BackupStep, string>> = {
  copying: 'Copying the backup',
  examining: 'Checking the database that is replaced',
  comparing: 'Comparing the backup with its digest',
  checking: 'Checking the backup',
  updating: 'Taking out what was withdrawn since',
  completing: 'Putting it in place',
}

const backupSteps = (session: Session) => {
  const steps = stepsOf(session)
  return { steps, onStep: (step: BackupStep): void => steps.at(STEPS[step]) }
}

const verifyFile = async (session: Session, order: Omit<VerifyOrder, 'onStep'>): Promise<void> => {
  const { onStep, steps } = backupSteps(session)
  const outcome = await session.host.verifyBackup({ ...order, onStep }).finally(() => steps.stop())
  if (outcome.digest === 'none') await session.note(WITHOUT_DIGEST)
  if (session.json) return await session.printJson(backupDocument(outcome))
  const found = outcome.digest === 'none' ? 'Its schema and structure are sound' : 'Every byte is as it was written'
  await session.say(`${found}: ${outcome.file}, ${sizeOf(outcome)}.`)
  await session.say(`It holds ${holdings(outcome)}.`)
  await session.say(
    outcome.files.length > 0
      ? keysHeld(outcome)
      : 'It holds no keys: a restore needs the secret, link-keys.json and signing-keys.json that go with it.',
  )
}

const WITHOUT_DIGEST =
  'The backup has no digest, as its table backup_digest was removed: its schema and structure were checked, but a value in it that has changed since would not be found.'

const sizeOf = ({ bytes }: VerifyOutcome | BackupOutcome): string => `${(bytes / MEGABYTE).toFixed(1)} MB`

const MEGABYTE = 1_000_000

const backUp = async (session: Session, order: BackupOrder): Promise<void> => {
  await session.requireForeign(order.file)
  let progress: Progress | undefined
  const onProgress = (bytes: number, total: number): void => {
    progress ??= progressOf(session, { doing: 'Backing up', total: Math.ceil(total / MEGABYTE) })
    progress?.reach(Math.min(Math.floor(bytes / MEGABYTE), Math.ceil(total / MEGABYTE)))
  }
  const outcome = await session.host
    .backUp(order, { onProgress, signal: session.io.signal })
    .catch((error: unknown) => {
      throw isAborted(error) ? interrupted('Interrupted. No backup was written.') : error
    })
    .finally(() => progress?.stop())
  if (outcome.secret === 'missing') await session.note(WITHOUT_SECRET.missing)
  if (session.json) return await session.printJson(backupDocument(outcome))
  await session.say(`Backed up to ${outcome.file}, ${sizeOf(outcome)}, and found sound.`)
  await session.say(`It holds ${holdings(outcome)}.`)
  if (outcome.files.length > 0) await session.say(keysHeld(outcome))
  if (outcome.secret === 'environment') await session.say(WITHOUT_SECRET.environment)
  if (outcome.elsewhere.length > 0 && outcome.secret !== 'missing') await session.say(keysElsewhere(outcome))
}

const isAborted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

const backupDocument = ({ auditRecord, ...rest }: BackupOutcome | VerifyOutcome) => ({
  ...rest,
  audit_record: auditRecord,
})

const keysHeld = ({ files }: Pick<BackupOutcome, 'files'>): string =>
  `It holds keys as well (${inWords(files)}): anyone who has it can sign.`

const keysElsewhere = ({ elsewhere }: BackupOutcome): string =>
  `It does not hold ${inWords(elsewhere)}. Keep a copy elsewhere: without the secret the backup is of no use, without the link keys every link sent is dead.`

const WITHOUT_SECRET = {
  environment:
    'It does not hold what settings give: without the secret of ROLLCALL_SECRET, the backup is of no use. Keep it elsewhere.',
  missing:
    'The secret is missing in the data folder, so it is not in the backup. Without the secret that this database was begun with, the backup cannot be restored: find it.',
} as const

interface RestoreOptions {
  readonly yes?: boolean
  readonly keep?: string
  readonly own?: readonly string[]
  readonly tombstones?: readonly string[]
  readonly withoutTombstones?: boolean
}

const RESTORING =
  'Stop the server first. Whatever came after the backup is lost, but not what was withdrawn: users who were deleted, ' +
  'subscriptions that were erased or ended, and addresses that want no mails are taken out before it is used, as the ' +
  'database that is replaced has them, and the audit trail goes on. What is replaced is kept outside the data folder. A backup without keys needs the secret, ' +
  'link-keys.json and signing-keys.json in the data folder, or by settings: without the secret nothing is restored; ' +
  'for the others, the command says what they cost.'

const LOST =
  'If that database is lost or cannot be read, --tombstones names a file to read it from: of events (what `rollcall ' +
  'event list --json`, GET /events or a webhook gave) or of `rollcall audit export`, from after the backup. Several ' +
  'runs may be appended to each other. Without such a file, only --without-tombstones restores: persons who were ' +
  'deleted since come back.'

export const restore: Verb = {
  name: 'restore',
  summary: 'Put a backup in place of the SQLite database',
  details: `${RESTORING}\n\n${LOST}`,
  onlyHere: 'Restoring',
  examples: [
    'rollcall restore /backups/rollcall-2026-05-01.db',
    'rollcall restore /backups/rollcall.db --yes --keep /backups/replaced.db',
    'rollcall restore /backups/rollcall.db --tombstones /backups/events.ndjson',
  ],
  define: (command, session) =>
    command
      .argument('<file>', 'that `rollcall backup` made')
      .option('--yes', 'do not ask')
      .option(
        '--keep <file>',
        'move the database that is replaced there (default: beside the backup, with .replaced- and the time behind its name)',
      )
      .option('--tombstones <file>', 'what was deleted since; may be given several times', collected)
      .option('--own <name>', OWN, collected)
      .option('--without-tombstones', 'restore although it is not known what was deleted since')
      .action(async (file: string, options: RestoreOptions) => await restoreFrom(session, file, options)),
}

const restoreFrom = async (session: Session, file: string, options: RestoreOptions): Promise<void> => {
  const { yes = false, keep, own = [], tombstones: withdrawals = [], withoutTombstones: regardless = false } = options
  if (!yes) requireTerminal(session, 'restore')
  await session.requireForeign(keep)
  const { onStep, steps } = backupSteps(session)
  const agreed = async (plan: RestorePlan): Promise<void> => {
    steps.stop()
    session.throwIfInterrupted()
    if (plan.digest === 'none') await session.note(WITHOUT_DIGEST)
    for (const silent of plan.silent) await session.note(nothingIn(silent))
    if (plan.recordsOnly) await session.note(RECORDS_ONLY)
    for (const lacking of plan.lacking) await session.note(lacking)
    if (yes) return
    for (const line of described(plan)) await session.note(line)
    await agree(session, question(plan), 'Nothing was replaced, because it was not confirmed.')
  }
  const outcome = await session.host
    .restore({ file, withdrawals, regardless, keep, own, onStep }, agreed)
    .finally(() => steps.stop())
  if (session.json) return await session.printJson(restoreDocument(outcome))
  for (const line of described(outcome)) await session.say(line)
  await session.say(`Restored from ${outcome.file}.${ofKeys(outcome)}${ofReplaced(outcome)} Start the server again.`)
}

const nothingIn = (file: string): string =>
  `'${file}' has nothing from after the backup. If it is not the right file, persons who were deleted since come back.`

const RECORDS_ONLY =
  'Audit records do not say what owners of addresses did, which subscriptions were erased with a user or a feed, and which ended by a report: they come back. Events say it.'

const question = ({ replaced }: RestorePlan): string =>
  replaced === 'none' ? 'Restore it?' : 'Put the backup in place of the database?'

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

const holdings = ({ subscriptions, users, auditRecord, event }: RestorePoint): string =>
  `${counted(subscriptions, 'subscription')} and ${counted(users, 'user')}, up to audit record ${auditRecord} and event ${event}`

const REPLACED = {
  none: 'There is no database to replace.',
  unreadable: 'The database that it replaces cannot be read: it is damaged or of another version.',
} as const

const CAUTION = {
  branched: 'That database does not go on from this backup: its audit records of since then do not go on in this one.',
  pruned:
    'The backup is older than the events that are kept: whatever the database did not have any more was taken out.',
} as const

const ofKeys = ({ files }: RestoreOutcome): string =>
  files.length === 0 ? '' : ` ${inWords(files)} came back with it.`

const ofReplaced = ({ kept }: RestoreOutcome): string =>
  kept === undefined
    ? ''
    : ` What was there is now ${kept}: users who are deleted from now on stay in it, so remove it once nothing of it is missed.`

const restoreDocument = ({
  file,
  backup,
  digest,
  replaced,
  reapplied,
  caution,
  silent,
  recordsOnly,
  lacking,
  files,
  kept,
}: RestoreOutcome) => ({
  file,
  backup: pointOf(backup),
  digest,
  replaced: typeof replaced === 'string' ? replaced : pointOf(replaced),
  reapplied,
  caution: caution ?? null,
  silent,
  records_only: recordsOnly,
  lacking,
  files,
  kept: kept ?? null,
})

const pointOf = ({ auditRecord, event, subscriptions, users }: RestorePoint) => ({
  audit_record: auditRecord,
  event,
  subscriptions,
  users,
})
