import { addListOptions, changeUsers, LISTS, type ListOptions } from '../bulk/bulk-verb.ts'
import { KINDS } from '../bulk/kinds.ts'
import { namingRestore } from '../bulk/name-restore.ts'
import type { Verb } from '../verb.ts'

type SuspensionKind = typeof KINDS.resume | typeof KINDS.suspend

type Described = Pick<Verb, 'name' | 'summary' | 'details' | 'examples'>

const suspensionVerb = (described: Described, kind: SuspensionKind, outcome: string): Verb => ({
  ...described,
  details: `${described.details}\n\n${LISTS(kind)}`,
  define: (command, session) =>
    addListOptions(command, kind, ['reason'])
      .option('--reason <text>', 'why, for the audit trail; without name and address')
      .action(async (ids: string[], { reason, ...options }: ListOptions & { readonly reason?: string }) => {
        await changeUsers(session, kind, { ids, options, terms: { reason } }, async (userId) => {
          const user = await namingRestore(session, userId, (service, named) =>
            service.ask(`${kind.verb}User`, { ...named, body: { reason } }),
          )
          await session.answer(user, `User ${user.id} ${outcome}.`)
        })
      }),
})

export const userSuspend = suspensionVerb(
  {
    name: 'suspend',
    summary: 'Take access from a user, and keep everything else',
    details:
      'All access tokens of the user are refused at once, on every instance, until it is resumed. The last ' +
      'administrator cannot be suspended.',
    examples: [
      'rollcall user suspend brian --reason "ticket 4711: laptop stolen"',
      'rollcall user suspend --from leave.csv --plan leave.plan',
    ],
  },
  KINDS.suspend,
  'is suspended',
)

export const userResume = suspensionVerb(
  {
    name: 'resume',
    summary: 'Give access back to a suspended user',
    details: 'Access tokens that were issued before stay refused: the user needs a new one.',
    examples: [
      'rollcall user resume brian --reason "ticket 4711: new laptop"',
      'rollcall user resume --from leave.csv --dry-run',
    ],
  },
  KINDS.resume,
  'has access again',
)
