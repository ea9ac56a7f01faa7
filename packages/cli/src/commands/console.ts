import { type ConsoleSession, cursorOf, publishedSession } from '@rollcall/core'
import { namingRestore } from '../bulk/name-restore.ts'
import { refusedError } from '../cli-error.ts'
import { type Listing, printList } from '../listing.ts'
import { instantText, shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'

const login: Verb = {
  name: 'login',
  summary: 'Print a link that logs in to the console',
  details:
    'The link is good once, for 60 seconds, and also where an identity provider is configured. Without --subject it is ' +
    'for you: operator:<user of this machine>.',
  onlyHere: 'Logging in to the console',
  examples: ['rollcall console login', 'rollcall console login --subject 123'],
  define: (command, session) =>
    command.option('--subject <id>', 'a stored user to log in as').action(async (options: { subject?: string }) => {
      const url = session.host.consoleUrl()
      const { secret, subject, expiresAt } = await namingRestore(
        session,
        options.subject ?? '',
        (_service, _named, { useCases, caller }) => useCases.issueLoginLink.execute(options, caller),
        { onlyById: true },
      )
      const link = `${url}/login/${secret}`
      await session.answer({ link, subject, expires_at: instantText(expiresAt) }, link)
    }),
}

const LISTING: Listing<ConsoleSession> = {
  page: async (_, request, { useCases, caller }) => {
    const { items, next } = await useCases.listConsoleSessions.execute(request, caller)
    return { items, next: cursorOf(next) ?? null }
  },
  columns: [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'SUBJECT', cell: ({ subject }) => subject },
    { head: 'BEGUN', cell: ({ createdAt }) => shortInstantText(createdAt) },
    { head: 'SEEN', cell: ({ seenAt }) => shortInstantText(seenAt) },
    { head: 'ENDS', cell: ({ expiresAt }) => shortInstantText(expiresAt) },
  ],
  representation: publishedSession,
  nothing: 'No session of the console is open.',
}

const sessions: Verb = {
  name: 'sessions',
  summary: 'List the sessions of the console, or end one',
  details: 'A session ends by itself after half an hour without a request, and after twelve hours.',
  onlyHere: 'Looking at sessions of the console',
  examples: ['rollcall console sessions', 'rollcall console sessions --end 0123456789abcdef'],
  define: (command, session) =>
    command
      .option('--end <id>', 'end the session with this id instead')
      .action(async ({ end: id }: { readonly end?: string }) => {
        if (id === undefined) return await printList(session, LISTING, {})
        const found = await session.here(({ endConsoleSession }, caller) => endConsoleSession.execute({ id }, caller))
        if (!found) throw refusedError('SessionNotFound', 'There is no such session. Check the id; it may have ended.')
        await session.answer({ id, outcome: 'ended' }, `Ended the session ${id}.`)
      }),
}

export const verbs: readonly Verb[] = [login, sessions]
