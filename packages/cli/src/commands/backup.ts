import { counted } from '../counted.ts'
import { type Progress, progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import type { BackupOutcome } from '../storage-host.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly replace?: boolean
  readonly keys: boolean
}

const RULES =
  'Works beside a running server, and keeps nobody waiting. The file holds everything that was answered before it was ' +
  'begun, and the secret and the signing keys of the data folder: it is all that `rollcall restore` needs, so keep it ' +
  'as you keep them. It is there under its name once it is whole and was found sound. What was erased is not in it. ' +
  'Mail files, and words and pages of your own, are not in it. A database on PostgreSQL is backed up there.'

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
      .argument('<file>', 'to write, for nobody else to read')
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
  if (session.json) return await session.printJson(documentOf(outcome))
  const { subscriptions, users, auditRecord, event, bytes } = outcome
  const size = `${(bytes / MEGABYTE).toFixed(1)} MB`
  await session.say(`Backed up to ${outcome.file}, ${size}, and found sound.`)
  await session.say(
    `It holds ${counted(subscriptions, 'subscription')} and ${counted(users, 'user')}, up to audit record ${auditRecord} and event ${event}.`,
  )
  await session.say(ofKeys(outcome))
}

const documentOf = ({ auditRecord, ...rest }: BackupOutcome) => ({ ...rest, audit_record: auditRecord })

const ofKeys = ({ files }: BackupOutcome): string =>
  files.includes('secret')
    ? `It holds the ${files.map((name) => (name === 'secret' ? name : 'signing keys')).join(' and the ')} as well: whoever has it can sign.`
    : 'It does not hold the secret: without that, the backup is of no use. Keep it elsewhere.'
