import { userRecord } from '@rollcall/core'
import type { Verb } from '../verb.ts'

interface Options {
  readonly reason?: string
}

export const userRestore: Verb = {
  name: 'restore',
  summary: 'Undo the deletion of a user',
  details:
    'Only within ROLLCALL_DELETE_GRACE; after that a deletion is permanent. The user is as it was; access tokens ' +
    'that were issued up to the deletion stay refused.',
  examples: ['rollcall user restore brian', 'rollcall user restore brian --reason "ticket 4711: a mistake"'],
  define: (command, session) => {
    command
      .argument('<id>', 'of the user')
      .option('--reason <text>', 'why, for the audit trail; without name and address')
      .action(async (userId: string, { reason }: Options) => {
        const user = await session.withUseCases(({ restoreUser }, caller) =>
          restoreUser.execute({ userId, reason }, caller),
        )
        await session.answer(userRecord(user), `Restored user ${user.id}.`)
      })
  },
}
