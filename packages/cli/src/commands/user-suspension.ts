import { userRecord } from '@rollcall/core'
import { namingRestore } from '../deletion/name-restore.ts'
import type { Verb } from '../verb.ts'

type Described = Pick<Verb, 'name' | 'summary' | 'details' | 'examples'>

const suspensionVerb = (described: Described, change: 'resumeUser' | 'suspendUser', outcome: string): Verb => ({
  ...described,
  define: (command, session) =>
    command
      .argument('<id>', 'of the user')
      .option('--reason <text>', 'why, for the audit trail; without name and address')
      .action(async (userId: string, { reason }: { readonly reason?: string }) => {
        const order = { userId, reason }
        const user = await namingRestore(session, userId, (useCases, caller) => useCases[change].execute(order, caller))
        await session.answer(userRecord(user), `User ${user.id} ${outcome}.`)
      }),
})

export const userSuspend = suspensionVerb(
  {
    name: 'suspend',
    summary: 'Take access from a user, and keep everything else',
    details:
      'All access tokens of the user are refused at once, on every instance, until it is resumed. The last ' +
      'administrator cannot be suspended.',
    examples: ['rollcall user suspend brian', 'rollcall user suspend brian --reason "ticket 4711: laptop stolen"'],
  },
  'suspendUser',
  'is suspended',
)

export const userResume = suspensionVerb(
  {
    name: 'resume',
    summary: 'Give access back to a suspended user',
    details: 'Access tokens that were issued before stay refused: the user needs a new one.',
    examples: ['rollcall user resume brian', 'rollcall user resume brian --reason "ticket 4711: new laptop"'],
  },
  'resumeUser',
  'has access again',
)
