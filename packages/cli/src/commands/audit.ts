import type { AuditList } from '@rollcall/client'
import type { AuditFault, BrokenTrail } from '@rollcall/core'
import { Option } from 'commander'
import { interrupted, refusedError } from '../cli-error.ts'
import { listVerb } from '../listing.ts'
import { progressOf } from '../progress.ts'
import { counted, shortInstantText, visibleJson } from '../texts.ts'
import type { Verb } from '../verb.ts'

const AFTER = new Option('--after <number>', 'go on behind the record with this number')

const list = listVerb({
  summary: 'List the audit trail',
  examples: [
    'rollcall audit list --newest --limit 20',
    'rollcall audit list --target brian --action user.delete',
    'rollcall audit list --since 2026-01-31 --json',
    'rollcall audit list --after 1200 --limit 50',
  ],
  filters: [
    ['--target <id>', 'only what was done to this user, feed or other thing'],
    ['--action <action>', 'only this, such as user.delete'],
    ['--since <time>', 'only what was done then or later: a day such as 2026-01-31, or a time by RFC 3339'],
    ['--newest', 'the newest first'],
  ],
  after: AFTER,
  page: (service, { cursor: after, limit, target, action, since, newest }) =>
    service.ask('listAudit', { after, limit, target, action, since, sort: newest ? 'newest' : undefined }),
  columns: [
    { head: 'NO', cell: ({ sequence }) => sequence ?? 'unsealed' },
    { head: 'AT', cell: ({ at }) => shortInstantText(at) },
    { head: 'WHO', cell: ({ actor }) => actor },
    { head: 'BY', cell: ({ channel }) => channel },
    { head: 'ACTION', cell: ({ action }) => action },
    { head: 'TARGET', cell: ({ target }) => target ?? '' },
    { head: 'OUTCOME', cell: ({ outcome, count }) => (count === 1 ? outcome : `${outcome} (${count} times)`) },
    { head: 'REASON', cell: ({ reason }) => reason ?? '' },
  ],
  nothing: 'There are no audit records.',
  // A record's position in the list is the number that people see (the audit store promises it).
  next: Number,
})

const FAULT: Readonly<Record<AuditFault, (broken: BrokenTrail) => string>> = {
  anchor: () =>
    'What is kept outside the database as the newest seal (ROLLCALL_AUDIT_ANCHOR) is not a seal of an audit trail.',
  changed: ({ sequence, until = sequence }) =>
    until > sequence
      ? `Records ${sequence} to ${until}, which were sealed together, are not what was written, or one of them is gone.`
      : `Record ${sequence} is not what was written, or what stood there is gone.`,
  cut: ({ sequence }) => `The trail ends before record ${sequence}, but a seal says that more was written.`,
  emptied: () => 'The trail is empty, but there are users or webhooks, which only changes on record make.',
  roles: ({ sequence, user }) =>
    sequence === 0
      ? `The user '${user}' is not in the trail.`
      : `The user '${user}' is gone or has other roles than record ${sequence} says.`,
  seal: ({ sequence }) => `The seal on record ${sequence} is gone.`,
  tombstone: ({ sequence, user }) =>
    sequence === 0
      ? `The deletion of the user '${user}' is not in the trail as its tombstone says: do not trust its receipt.`
      : `The deletion in record ${sequence} and the tombstone of its user do not agree: do not trust its receipt.`,
  forged: ({ sequence }) => `The seal on record ${sequence} was not made with the secret of this instance.`,
}

const ANCHOR_TO_DO =
  'Something else wrote that file, or its disk is failing. All else holds; whether an end was cut, a seal in the log tells by --since. If none was, remove the file, and the server makes it again.'

const WHAT_TO_DO =
  'The database was changed by something else than this service, or its disk is failing. Keep a copy of it as it is, find out who can write to it, and compare it with a backup and with seals in the log.'

const verify: Verb = {
  name: 'verify',
  summary: 'Recompute the seals of the audit trail',
  details:
    'If one does not hold: exit code 3, and the first record that is broken, or the first of those that were sealed ' +
    'together. Records are sealed within a second; those that are not yet are counted, and a change of them would leave ' +
    'no trace. Every deletion is compared with the tombstone of its user, as to whether and when.\n\n' +
    'The log of the service names the newest seal every minute: kept elsewhere and given to --since, it also shows an ' +
    'end that was cut together with everything in the database that belongs to it. So does the newest seal in the file ' +
    'of ROLLCALL_AUDIT_ANCHOR. After you put a PostgreSQL database back to an earlier state yourself, remove that file: ' +
    'the server makes it again.',
  onlyHere: 'Verifying the audit trail',
  examples: ['rollcall audit verify', 'rollcall audit verify --since "$(cat seal)"', 'rollcall audit verify --json'],
  define: (command, session) =>
    command
      .option('--since <seal>', 'a seal that was kept elsewhere')
      .action(async ({ since }: { readonly since?: string }) => {
        const progress = progressOf(session, { doing: 'Verifying', total: undefined })
        const onProgress = (done: number) => progress?.reach(done)
        const stop = session.io.signal
        const {
          records,
          seals,
          unsealed,
          anchor,
          interrupted: isInterrupted,
          broken,
        } = await session
          .here(({ verifyAudit }, caller) => verifyAudit.execute({ since, onProgress, stop }, caller))
          .finally(() => progress?.stop())
        if (isInterrupted) throw interrupted(`Interrupted after ${records} records, which hold.`)
        const document = {
          intact: broken === undefined,
          records,
          seals,
          unsealed,
          anchor: anchor ?? null,
          broken: broken ?? null,
        }
        if (session.json) await session.printJson(document)
        if (broken !== undefined) {
          const remedy = broken.fault === 'anchor' ? ANCHOR_TO_DO : WHAT_TO_DO
          throw refusedError('AuditBroken', `${FAULT[broken.fault](broken)} ${remedy}`)
        }
        const figures = `${counted(records, 'record')}, ${counted(seals, 'seal')}`
        const rest = unsealed === 0 ? '' : ` ${counted(unsealed, 'record')} not sealed yet.`
        const kept = anchor === undefined ? '' : `, and the one outside the database (record ${anchor})`
        if (!session.json) await session.say(`The audit trail holds: ${figures}${kept}.${rest}`)
      }),
}

const exportAll: Verb = {
  name: 'export',
  summary: 'Print the audit trail as NDJSON',
  details: 'One record a line, oldest first.',
  examples: ['rollcall audit export > audit.ndjson', 'rollcall audit export --after 1200 >> audit.ndjson'],
  define: (command, session) =>
    command.addOption(AFTER).action(async ({ after = '0' }: { readonly after?: string }) => {
      await session.withService(async (service) => {
        for (let place: string | null = after; place !== null && !session.stdout.closed; ) {
          const page: AuditList = await service.ask('listAudit', { after: place, limit: 200 })
          session.throwIfInterrupted()
          await session.stdout.write(page.items.map((record) => `${visibleJson(record)}\n`).join(''))
          place = page.next
        }
      })
    }),
}

export const verbs: readonly Verb[] = [list, verify, exportAll]
