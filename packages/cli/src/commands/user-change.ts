import type { User } from '@rollcall/client'
import { parseUserId } from '@rollcall/core'
import type { Command, Option } from 'commander'
import { BulkAsker } from '../bulk/bulk-order.ts'
import { refusalOf } from '../bulk/bulk-row.ts'
import { addListOptions, changeUsers, LISTS, type ListOptions } from '../bulk/bulk-verb.ts'
import { type BulkTerms, KINDS } from '../bulk/kinds.ts'
import { namingRestore } from '../bulk/name-restore.ts'
import { type CliError, usageError } from '../cli-error.ts'
import { lostByUser, putting, requireSomething } from '../losses.ts'
import { collected } from '../options.ts'
import type { Session } from '../session.ts'
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
    'Replaces the whole record: a name or a role that is not given again is gone. It says so, and asks where there is a terminal. To keep the rest, use `rollcall user set`.',
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
      .action(
        async (userId: string, { email, name = '', role: roles = [], yes = false }: PutOptions, command: Command) => {
          const order = { email, name, roles }
          const { record: user, created } = await namingRestore(session, userId, async (service) => {
            const named = { userId: parseUserId(userId) }
            return await putting<User>(session, command, {
              noun: 'user',
              id: userId,
              yes,
              find: () => service.ask('getUser', named),
              lost: (current) => lostByUser(current, order),
              put: (asked) => service.answer('putUser', { ...named, body: order }, asked),
            })
          })
          const sentence = `${created ? 'Created' : 'Replaced'} user ${user.id}.`
          await session.answer({ created, user }, sentence)
        },
      ),
}

interface SetOptions extends ListOptions {
  readonly email?: string
  readonly name?: string
  readonly role?: readonly string[] | false
  readonly addRole?: readonly string[]
  readonly removeRole?: readonly string[]
  readonly reason?: string
}

const ONE_BY_ONE = ['email', 'name', 'role'] as const

export const userSet: Verb = {
  name: 'set',
  summary: 'Change some things about users, and keep the rest',
  details:
    'The roles that are given with --role are all that the user has from then on; without it they stay as they are. ' +
    `--add-role and --remove-role keep the others, and may be for several users. ${LISTS(KINDS.roles)}`,
  examples: [
    'rollcall user set brian --email brian@example.com',
    'rollcall user set ada --role admin --role auditor',
    'rollcall user set eve --no-role',
    'rollcall user set --from team.csv --add-role auditor --dry-run',
    'rollcall user set --from team.csv --remove-role auditor --plan team.plan --reason "the audit is over"',
  ],
  define: (command, session) =>
    addListOptions(command, KINDS.roles, [...ONE_BY_ONE, 'addRole', 'removeRole', 'reason'])
      .option('--email <address>', 'e-mail address')
      .option('--name <name>', 'full name')
      .option('--role <role>', 'a role; give the option again for another', collected)
      .option('--no-role', 'take all roles away')
      .option('--add-role <role>', 'give this role, too; give the option again for another', collected)
      .option('--remove-role <role>', 'take this role away; give the option again for another', collected)
      .option(
        '--reason <text>',
        'with --add-role and --remove-role: why, for the audit trail; without name and address',
      )
      .action(async (ids: string[], options: SetOptions, command: Command) => {
        requireSomething(options)
        const { addRole: add, removeRole: remove, reason, email, name, role, ...list } = options
        const others = ONE_BY_ONE.filter((each) => options[each] !== undefined)
        const isOfRoles = (add ?? remove ?? list.apply) !== undefined
        if (isOfRoles && others.length > 0)
          throw usageError('Give --add-role and --remove-role without --email, --name and --role.')
        if (isOfRoles) {
          const terms = { reason, add, remove }
          return await changeUsers(session, KINDS.roles, { ids, options: list, terms }, (userId) =>
            changeRoles(session, userId, terms),
          )
        }
        const ofLists = { ...list, ...(reason !== undefined && { reason }) }
        const unfit = command.options.filter((option) => option.attributeName() in ofLists)
        if (unfit.length > 0) throw onlyOfRoles(unfit)
        const [userId] = ids
        if (userId === undefined || ids.length > 1)
          throw usageError('--email, --name and --role are for one user: give one id.')
        const body = { email, name, roles: role === false ? [] : role }
        const user = await namingRestore(session, userId, (service, named) =>
          service.ask('patchUser', { ...named, body }),
        )
        await session.answer(user, `Changed user ${user.id}.`)
      }),
}

const onlyOfRoles = (options: readonly Option[]): CliError => {
  const names = options.map(({ long }) => long).join(' and ')
  return usageError(`${names} ${options.length === 1 ? 'goes' : 'go'} with --add-role and --remove-role only.`)
}

const changeRoles = async (session: Session, userId: string, terms: BulkTerms): Promise<void> => {
  const { user, outcome } = await namingRestore(session, userId, async (service, named) => {
    const [row] = await new BulkAsker(service, { kind: KINDS.roles, terms }, { dryRun: false }).ask([
      { id: userId, repeated: false },
    ])
    if (row?.error !== undefined) throw refusalOf(row.error)
    return { user: await service.ask('getUser', named), outcome: row?.outcome }
  })
  const isSame = outcome === KINDS.roles.already[0]
  await session.answer(user, isSame ? `User ${user.id} has these roles already.` : `Changed user ${user.id}.`)
}
