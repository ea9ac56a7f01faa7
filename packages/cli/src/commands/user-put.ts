import { userRecord } from '@rollcall/core'
import { collected } from '../option-values.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly email: string
  readonly name?: string
  readonly role?: readonly string[]
}

export const userPut: Verb = {
  name: 'put',
  summary: 'Create a user, or replace the one with this id',
  details: 'Replaces the whole record: a name or a role that is not given again is gone.',
  examples: [
    'rollcall user put brian --email brian.smith@example.com --name "Brian Smith"',
    'rollcall user put ada --email ada@example.com --name Ada --role admin --role auditor',
  ],
  define: (command, session) => {
    command
      .argument('<id>', 'of the user, the same as the subject of its tokens')
      .requiredOption('--email <address>', 'e-mail address')
      .option('--name <name>', 'full name')
      .option('--role <role>', 'a role; give the option again for another', collected)
      .action(async (userId: string, { email, name = '', role: roles = [] }: Options) => {
        const { user, created } = await session.withUseCases(({ putUser }, caller) =>
          putUser.execute({ userId, email, name, roles }, caller),
        )
        const sentence = `${created ? 'Created' : 'Replaced'} user ${user.id}.`
        await session.answer({ created, user: userRecord(user) }, sentence)
      })
  },
}
