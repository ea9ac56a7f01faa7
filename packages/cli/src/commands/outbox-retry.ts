import { type Caller, cursorOf } from '@rollcall/core'
import { CliError, usageError } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { counted } from '../counted.ts'
import { ExitCode } from '../exit-code.ts'
import { listOwed } from '../owed.ts'
import type { Session } from '../session.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly allParked?: boolean
}

/** A mail or an event, as `outbox list` names it. */
interface OwedId {
  readonly event: boolean
  readonly id: number
}

export const outboxRetry: Verb = {
  name: 'retry',
  summary: 'Send owed mails and events at once, parked or not',
  details:
    'They are due at once and their attempts are forgotten. The caps on mails to one address still hold; so does the ' +
    'order of the events of one subject, and a webhook that is disabled is sent nothing.',
  onlyHere: 'Retrying mails and events',
  examples: ['rollcall outbox retry 17 e18', 'rollcall outbox retry --all-parked'],
  define: (command, session) => {
    command
      .argument('[id...]', 'of mails and events, as `rollcall outbox list` shows them')
      .option('--all-parked', 'all that wait for a person')
      .action(async (texts: string[], { allParked = false }: Options) => {
        if (allParked === texts.length > 0)
          throw usageError('Give the ids of mails or events, or --all-parked, not both.')
        const ids = texts.map(owedId)
        await session.withUseCases((useCases, caller) =>
          retryAll(session, useCases, caller, allParked ? parkedIds(useCases, caller) : ids),
        )
      })
  },
}

const owedId = (text: string): OwedId => {
  const [, event, digits] = /^(e?)(\d{1,15})$/.exec(text) ?? []
  if (digits !== undefined) return { event: event === 'e', id: Number(digits) }
  throw usageError(`'${text}' is no id of a mail or an event. \`rollcall outbox list\` shows them.`)
}

const shown = ({ event, id }: OwedId): string | number => (event ? `e${id}` : id)

async function* parkedIds(useCases: CliUseCases, caller: Caller): AsyncGenerator<OwedId> {
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const page = await listOwed(useCases, { parked: true, cursor, limit: 200 }, caller)
    for (const owed of page.items)
      yield 'mail' in owed ? { event: false, id: owed.mail.id } : { event: true, id: owed.event.id }
    cursor = cursorOf(page.next)
  }
}

const retryAll = async (
  session: Session,
  { retryOutbox, retryEvent }: CliUseCases,
  caller: Caller,
  ids: Iterable<OwedId> | AsyncIterable<OwedId>,
): Promise<void> => {
  let mails = 0
  let events = 0
  const notFound: (string | number)[] = []
  for await (const owed of ids) {
    session.heedInterruption()
    const { event, id } = owed
    if (!(await (event ? retryEvent : retryOutbox).execute({ id }, caller))) notFound.push(shown(owed))
    else if (event) events++
    else mails++
  }
  const what = [
    ...(mails > 0 || events === 0 ? [counted(mails, 'mail')] : []),
    ...(events > 0 ? [counted(events, 'event')] : []),
  ]
  await session.answer({ retried: mails + events, not_found: notFound }, `${what.join(' and ')} will be sent at once.`)
  if (notFound.length === 0) return
  const message = `Not in the outbox, so sent already or never owed: ${notFound.join(', ')}.`
  throw new CliError(message, { name: 'NotFound', exitCode: ExitCode.refused })
}
