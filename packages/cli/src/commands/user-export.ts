import { auditEntryRecord, subscriptionRecord, userRecord } from '@rollcall/core'
import type { Verb } from '../verb.ts'
import { visibleJson } from '../visible-text.ts'

export const userExport: Verb = {
  name: 'export',
  summary: 'Print everything that is stored about a user',
  details: 'One JSON document: the record, the subscriptions of the same address, and what the audit trail says of it.',
  examples: ['rollcall user export brian > brian.json'],
  define: (command, session) => {
    command.argument('<id>', 'of the user').action(async (userId: string) => {
      await session.withUseCases(async ({ exportUser }, caller) => {
        const { user, subscriptions, audit } = await exportUser.execute({ userId }, caller)
        const head = visibleJson({ user: userRecord(user), subscriptions: subscriptions.map(subscriptionRecord) })
        await session.stdout.write(`${head.slice(0, -1)},"audit":[`)
        let between = ''
        for await (const record of audit) {
          session.throwIfInterrupted()
          await session.stdout.write(`${between}\n${visibleJson(auditEntryRecord(record))}`)
          between = ','
        }
        await session.stdout.write('\n]}\n')
      })
    })
  },
}
