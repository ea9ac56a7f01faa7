import { auditEntryRecord, cursorOf } from '@rollcall/core'
import { wholeNumber } from '../option-values.ts'
import type { Verb } from '../verb.ts'
import { visibleJson } from '../visible-text.ts'

interface Options {
  readonly after?: number
}

export const auditExport: Verb = {
  name: 'export',
  summary: 'Print the audit trail as NDJSON',
  details: 'One record a line, oldest first, with the hashes that chain them: what `rollcall audit verify` recomputes.',
  examples: ['rollcall audit export > audit.ndjson', 'rollcall audit export --after 1200 >> audit.ndjson'],
  define: (command, session) => {
    command
      .option('--after <number>', 'only what follows the record with this number', wholeNumber(0))
      .action(async ({ after = 0 }: Options) => {
        await session.withUseCases(async ({ listAudit }, caller) => {
          for (let cursor = cursorOf(after); cursor !== undefined && !session.stdout.closed; ) {
            const page = await listAudit.execute({ cursor, limit: 200 }, caller)
            session.throwIfInterrupted()
            await session.stdout.write(
              page.items.map((record) => `${visibleJson(auditEntryRecord(record))}\n`).join(''),
            )
            cursor = cursorOf(page.next)
          }
        })
      })
  },
}
