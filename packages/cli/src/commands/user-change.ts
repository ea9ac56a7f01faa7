import { userRecord } from '@rollcall/core'
import { namingRestore } from '../deletion/name-restore.ts'
import { agreeToLosses, lostByUser, requireSomething } from '../losses.ts'
import { collected } from '../options.ts'
import type { Verb } from '../verb.ts'

interface PutOptions {
  readonly email: string
  readonly name?: string
  readonly role?: readonly string[]
  readonly yes?: boolean
}

export const userPut: Verb = {
  name: 'put',
  summary: 'Create a user, or replace the one with this id',
  details:
    'Replaces the whole record: a name or a role that is not given again is gone. It says so, and asks where there is ' +
    'a terminal. To change one thing and keep the rest, use `rollcall user set`.',
  examples: [
    'rollcall user put brian --email brian.smith@example.com --name "Brian Smith"',
    'rollcall user put ada --email ada@example.com --name Ada --role admin --role auditor',
  ],
  define: (command, session) =>
    command
      .argument('<id>', 'of the user, the same as the subject of its tokens')
      .requiredOption('--email <address>', 'e-mail address')
      .option('--name <name>', 'full name')
      .option('--role <role>', 'a role; give the option again for another', collected)
      .option('--yes', 'do not ask')
      .action(async (userId: string, { email, name = '', role: roles = [], yes = false }: PutOptions) => {
        const order = { userId, email, name, roles }
        const { user, created } = await namingRestore(session, userId, async ({ getUser, putUser }, caller) => {
          await agreeToLosses(session, {
            ...{ noun: 'user', id: userId, yes },
            find: () => getUser.execute({ userId }, caller),
            lost: (current) => lostByUser(current, order),
          })
          return await putUser.execute(order, caller)
        })
        const sentence = `${created ? 'Created' : 'Replaced'} user ${user.id}.`
        await session.answer({ created, user: userRecord(user) }, sentence)
      }),
}

interface SetOptions {
  readonly email?: string
  readonly name?: string
  readonly role?: readonly string[] | false
}

export const userSet: Verb = {
  name: 'set',
  summary: 'Change some things about a user, and keep the rest',
  details: 'The roles that are given are all that the user has from then on; without --role they stay as they are.',
  examples: [
    'rollcall user set brian --email brian@example.com',
    'rollcall user set ada --role admin --role auditor',
    'rollcall user set eve --no-role',
  ],
  define: (command, session) =>
    command
      .argument('<id>', 'of the user')
      .option('--email <address>', 'e-mail address')
      .option('--name <name>', 'full name')
      .option('--role <role>', 'a role; give the option again for another', collected)
      .option('--no-role', 'take all roles away')
      .action(async (userId: string, options: SetOptions) => {
        requireSomething(options)
        const { role, ...fields } = options
        const order = { ...fields, userId, roles: role === false ? [] : role }
        const user = await namingRestore(session, userId, ({ patchUser }, caller) => patchUser.execute(order, caller))
        await session.answer(userRecord(user), `Changed user ${user.id}.`)
      }),
}
