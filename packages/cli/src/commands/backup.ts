import { type Progress, progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import type { BackupOutcome } from '../storage-host.ts'
import { counted } from '../texts.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly replace?: boolean
  readonly keys: boolean
}

const RULES =
  'Works while the server runs, and does not delay it. The file holds everything that was answered before it ' +
  'was begun, and the secret and the signing keys of the data folder: it is all that `rollcall restore` needs, ' +
  'so protect it as you protect them. It appears under its name once it is complete and was checked. What was ' +
  'erased is not in it. A secret that is not that of the database is refused. Mail files, and texts and pages ' +
  'of your own, are not in it. A database on PostgreSQL is backed up there.'

export const backup: Verb = {
  name: 'backup',
  summary: 'Copy the SQLite database to a file, also while it is served',
  details: RULES,
  onlyHere: 'Backing up',
  examples: [
    'rollcall backup /backups/rollcall-$(date +%F).db',
    'rollcall backup /backups/rollcall.db --replace --without-keys --json',
  ],
  define: (command, session) => {
    command
      .argument('<file>', 'to write; only its owner can read it')
      .option('--replace', 'in place of a file of this name, once the new one is whole')
      .option('--without-keys', 'leave the secret and the signing keys out: keep them elsewhere')
      .action(async (file: string, options: Readonly<Record<string, boolean>>) => {
        await backUp(session, file, { replace: options.replace === true, keys: options.withoutKeys !== true })
      })
  },
}

const MEGABYTE = 1_000_000

const backUp = async (session: Session, file: string, { replace = false, keys }: Options): Promise<void> => {
  await session.requireForeign(file)
  let progress: Progress | undefined
  const onProgress = (bytes: number, total: number): void => {
    progress ??= progressOf(session, { doing: 'Backing up', total: Math.ceil(total / MEGABYTE) })
    progress?.reach(Math.min(Math.floor(bytes / MEGABYTE), Math.ceil(total / MEGABYTE)))
  }
  const outcome = await session.host.backUp({ file, replace, keys }, { onProgress }).finally(() => progress?.stop())
  if (outcome.secret === 'missing') await session.note(WITHOUT_SECRET.missing)
  if (session.json) return await session.printJson(documentOf(outcome))
  const { subscriptions, users, auditRecord, event, bytes } = outcome
  const size = `${(bytes / MEGABYTE).toFixed(1)} MB`
  await session.say(`Backed up to ${outcome.file}, ${size}, and found sound.`)
  await session.say(
    `It holds ${counted(subscriptions, 'subscription')} and ${counted(users, 'user')}, up to audit record ${auditRecord} and event ${event}.`,
  )
  if (outcome.secret !== 'missing') await session.say(ofKeys(outcome, outcome.secret))
}

const documentOf = ({ auditRecord, ...rest }: BackupOutcome) => ({ ...rest, audit_record: auditRecord })

const ofKeys = ({ files }: BackupOutcome, secret: Exclude<BackupOutcome['secret'], 'missing'>): string =>
  secret === 'held'
    ? `It holds the ${files.map((name) => (name === 'secret' ? name : 'signing keys')).join(' and the ')} as well: anyone who has it can sign.`
    : WITHOUT_SECRET[secret]

const WITHOUT_SECRET = {
  environment:
    'It does not hold the secret, which is in ROLLCALL_SECRET: without that, the backup is of no use. Keep it elsewhere.',
  'left-out': 'It does not hold the secret: without that, the backup is of no use. Keep it elsewhere.',
  missing:
    'The secret is missing in the data folder, so it is not in the backup. Without the secret that this database was begun with, the backup cannot be restored: find it.',
} as const
