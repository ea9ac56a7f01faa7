import { type Caller, cursorOf, type OutboxId } from '@rollcall/core'
import { CliError, usageError } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { counted } from '../counted.ts'
import { ExitCode } from '../exit-code.ts'
import type { Session } from '../session.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly allParked?: boolean
}

export const outboxRetry: Verb = {
  name: 'retry',
  summary: 'Send owed mails at once, parked or not',
  details: 'They are due at once and their attempts are forgotten; the caps on mails to one address still hold.',
  onlyHere: 'Retrying mails',
  examples: ['rollcall outbox retry 17 18', 'rollcall outbox retry --all-parked'],
  define: (command, session) => {
    command
      .argument('[id...]', 'of the mails, as `rollcall outbox list` shows them')
      .option('--all-parked', 'all that wait for a person')
      .action(async (texts: string[], { allParked = false }: Options) => {
        if (allParked === texts.length > 0) throw usageError('Give the ids of mails, or --all-parked, not both.')
        const ids = texts.map(outboxId)
        await session.withUseCases((useCases, caller) =>
          retryAll(session, useCases, caller, allParked ? parkedIds(useCases, caller) : ids),
        )
      })
  },
}

const outboxId = (text: string): OutboxId => {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined
  if (id !== undefined) return id
  throw usageError(`'${text}' is no id of a mail. \`rollcall outbox list\` shows them.`)
}

async function* parkedIds({ listOutbox }: CliUseCases, caller: Caller): AsyncGenerator<OutboxId> {
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const page = await listOutbox.execute({ parked: true, cursor, limit: 200 }, caller)
    for (const { id } of page.items) yield id
    cursor = cursorOf(page.next)
  }
}

const retryAll = async (
  session: Session,
  { retryOutbox }: CliUseCases,
  caller: Caller,
  ids: Iterable<OutboxId> | AsyncIterable<OutboxId>,
): Promise<void> => {
  let retried = 0
  const notFound: OutboxId[] = []
  for await (const id of ids) {
    session.heedInterruption()
    if (await retryOutbox.execute({ id }, caller)) retried++
    else notFound.push(id)
  }
  await session.answer({ retried, not_found: notFound }, `${counted(retried, 'mail')} will be sent at once.`)
  if (notFound.length === 0) return
  const message = `Not in the outbox, so sent already or never owed: ${notFound.join(', ')}.`
  throw new CliError(message, { name: 'NotFound', exitCode: ExitCode.refused })
}
