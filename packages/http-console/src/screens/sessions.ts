import { html } from '@rollcall/platform-node'
import { button, code, doneNotice, FULL_ROWS, pager, table, time } from '../parts/parts.ts'
import { type Handler, may } from '../visit.ts'

const list: Handler = async (visit) => {
  const { options, caller, query, session } = visit
  const { sessions: texts } = options.texts
  const cursor = query.get('cursor') ?? undefined
  const { items, next } = await options.useCases.listConsoleSessions.execute({ cursor, limit: FULL_ROWS }, caller)
  const content = html`${doneNotice(visit)}<p>${texts.intro}</p>
${table(
  texts.title,
  [
    { head: texts.id, cell: ({ id }) => (id === session.id ? html`${code(id)} (${texts.own})` : code(id)) },
    { head: texts.subject, cell: ({ subject }) => subject },
    { head: texts.begun, cell: ({ createdAt }) => time(createdAt) },
    { head: texts.seen, cell: ({ seenAt }) => time(seenAt) },
    { head: texts.expires, cell: ({ expiresAt }) => time(expiresAt) },
    {
      head: texts.action,
      cell: ({ id }) =>
        (id === session.id || may(visit, 'sessions:end')) &&
        button(`/sessions/${id}/end`, texts.end, { kind: 'second', about: id }),
    },
  ],
  items,
  texts.nothing,
)}${pager(visit, next)}`
  return { page: { title: texts.title, content } }
}

const end: Handler = async ({ options, caller, params, session }) => {
  const id = params.id ?? ''
  await options.useCases.endConsoleSession.execute({ id, own: session.id }, caller)
  return { to: id === session.id ? '/login?out' : '/sessions?done=sessionEnded' }
}

const logout: Handler = async ({ options, caller, session }) => {
  await options.useCases.endConsoleSession.execute({ id: session.id, own: session.id }, caller)
  return { to: '/login?out' }
}

export const sessionScreens: Readonly<Record<string, Handler>> = {
  'GET /sessions': list,
  'POST /sessions/{id}/end': end,
  'POST /logout': logout,
}
