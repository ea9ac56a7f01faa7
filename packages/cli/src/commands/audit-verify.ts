import type { AuditFault, AuditVerification } from '@rollcall/core'
import { CliError, interrupted } from '../cli-error.ts'
import { ExitCode } from '../exit-code.ts'
import { Progress } from '../progress.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly against?: string
}

const FAULT: Readonly<Record<AuditFault, (sequence: number) => string>> = {
  changed: (sequence) => `Record ${sequence} is not what was written, or what stood there is gone.`,
  cut: (sequence) => `The trail ends before record ${sequence}, but a checkpoint says that more was written.`,
  unsealed: (sequence) => `The checkpoint that was made with record ${sequence} is gone.`,
  tombstone: (sequence) =>
    `The deletion in record ${sequence} and the tombstone of its user do not agree: do not trust its receipt.`,
  forged: (sequence) => `The checkpoint at record ${sequence} was not made with the secret of this instance.`,
}

const WHAT_TO_DO =
  'The database was changed by something else than this service, or its disk is failing. Keep a copy of it as it is, find out who can write to it, and compare it with a backup and with checkpoints in the log.'

export const auditVerify: Verb = {
  name: 'verify',
  summary: 'Recompute the chain of the audit trail',
  details:
    'Each record is chained to the one before it, and checkpoints seal the chain with the secret of the instance: ' +
    'every minute that something was written, and every 1000 records. Exit code 3, and the first record that is broken, ' +
    'if it does not hold. The newest checkpoint is kept once more elsewhere in the database, and every deletion is ' +
    'compared with the tombstone of its user, as to whether and when; how much was erased is in the tombstone alone. The log of the service names each checkpoint: kept elsewhere and given to ' +
    '--against, it also shows an end that was cut together with everything in the database that belongs to it.',
  onlyHere: 'Verifying the audit trail',
  examples: [
    'rollcall audit verify',
    'rollcall audit verify --against "$(cat checkpoint)"',
    'rollcall audit verify --json',
  ],
  define: (command, session) => {
    command
      .option('--against <checkpoint>', 'a checkpoint that was kept elsewhere')
      .action(async ({ against }: Options) => {
        const progress = new Progress(session.io.stderr, { doing: 'Verifying', total: undefined })
        const onProgress = (records: number) => progress.reach(records)
        const stop = session.io.signal
        const result = await session
          .withUseCases(({ verifyAudit }, caller) => verifyAudit.execute({ against, onProgress, stop }, caller))
          .finally(() => progress.stop())
        if (stop.aborted) throw interrupted(`Interrupted after ${result.records} records, which hold.`)
        if (session.json) await session.printJson(representation(result))
        if (result.broken === undefined) {
          if (!session.json) await session.say(`The audit trail holds: ${figures(result)}.`)
          return
        }
        const { fault, sequence } = result.broken
        throw new CliError(`${FAULT[fault](sequence)} ${WHAT_TO_DO}`, {
          name: 'AuditBroken',
          exitCode: ExitCode.refused,
        })
      })
  },
}

const figures = ({ records, checkpoints }: AuditVerification): string =>
  `${records} ${records === 1 ? 'record' : 'records'}, ${checkpoints} ${checkpoints === 1 ? 'checkpoint' : 'checkpoints'}`

const representation = ({ records, checkpoints, broken }: AuditVerification) => ({
  intact: broken === undefined,
  records,
  checkpoints,
  broken: broken ?? null,
})
