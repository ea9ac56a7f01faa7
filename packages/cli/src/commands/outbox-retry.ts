import { type Caller, cursorOf } from '@rollcall/core'
import { CliError, usageError } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { counted } from '../counted.ts'
import { ExitCode } from '../exit-code.ts'
import type { Session } from '../session.ts'
import { listUndelivered } from '../undelivered.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly allParked?: boolean
}

/** A mail or an event, as `outbox list` names it. */
interface EntryId {
  readonly event: boolean
  readonly id: number
}

export const outboxRetry: Verb = {
  name: 'retry',
  summary: 'Send undelivered mails and events at once, parked or not',
  details:
    'They are due at once, and their attempts are counted from zero. The caps on mails to one address still hold; so does the ' +
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
        const ids = texts.map(entryId)
        await session.withUseCases((useCases, caller) =>
          retryAll(session, useCases, caller, allParked ? parkedIds(useCases, caller) : ids),
        )
      })
  },
}

const entryId = (text: string): EntryId => {
  const [, event, digits] = /^(e?)(\d{1,15})$/.exec(text) ?? []
  if (digits !== undefined) return { event: event === 'e', id: Number(digits) }
  throw usageError(`'${text}' is not the id of a mail or an event. \`rollcall outbox list\` shows them.`)
}

const shown = ({ event, id }: EntryId): string | number => (event ? `e${id}` : id)

async function* parkedIds(useCases: CliUseCases, caller: Caller): AsyncGenerator<EntryId> {
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const page = await listUndelivered(useCases, { parked: true, cursor, limit: 200 }, caller)
    for (const entry of page.items)
      yield 'mail' in entry ? { event: false, id: entry.mail.id } : { event: true, id: entry.event.id }
    cursor = cursorOf(page.next)
  }
}

const retryAll = async (
  session: Session,
  { retryOutbox, retryEvent }: CliUseCases,
  caller: Caller,
  ids: Iterable<EntryId> | AsyncIterable<EntryId>,
): Promise<void> => {
  let mails = 0
  let events = 0
  const notFound: (string | number)[] = []
  for await (const entry of ids) {
    session.throwIfInterrupted()
    const { event, id } = entry
    if (!(await (event ? retryEvent : retryOutbox).execute({ id }, caller))) notFound.push(shown(entry))
    else if (event) events++
    else mails++
  }
  const what = [
    ...(mails > 0 || events === 0 ? [counted(mails, 'mail')] : []),
    ...(events > 0 ? [counted(events, 'event')] : []),
  ]
  await session.answer({ retried: mails + events, not_found: notFound }, `${what.join(' and ')} will be sent at once.`)
  if (notFound.length === 0) return
  const message = `Not in the outbox, so sent already or never there: ${notFound.join(', ')}.`
  throw new CliError(message, { name: 'NotFound', exitCode: ExitCode.refused })
}
