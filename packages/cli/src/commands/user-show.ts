import { userRecord } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { printRecord } from '../record-printer.ts'
import type { Verb } from '../verb.ts'

export const userShow: Verb = {
  name: 'show',
  summary: 'Show a user',
  examples: ['rollcall user show brian', 'rollcall user show brian --json'],
  define: (command, session) => {
    command.argument('<id>', 'of the user').action(async (userId: string) => {
      const user = await session.withUseCases(({ getUser }, caller) => getUser.execute({ userId }, caller))
      await printRecord(session, userRecord(user), [
        ['ID', user.id],
        ['E-mail', user.email],
        ['Name', user.name],
        ['Roles', user.roles.join(' ')],
        ['Created', shortInstantText(user.createdAt)],
        ['Updated', shortInstantText(user.updatedAt)],
      ])
    })
  },
}
