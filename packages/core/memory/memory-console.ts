import type { ConsoleSession, DeletionRun, LoginLink, RunRow, Stores } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

export const memoryConsole = (
  journal: Journal,
  isDeleted: (subject: string) => boolean,
): Pick<Stores, 'consoleSessions' | 'loginLinks' | 'deletionRuns'> => {
  const sessions = new Table<string, ConsoleSession>(journal)
  const links = new Table<string, LoginLink>(journal)
  const runs = new Table<string, DeletionRun>(journal)
  const parts = new Table<string, { readonly run: string; readonly rows: readonly RunRow[] }>(journal)
  return {
    consoleSessions: {
      add: async (session) => {
        if (sessions.rows().some(({ secretHash }) => secretHash === session.secretHash))
          throw new RangeError('this session is there already')
        sessions.set(session.id, session)
      },
      find: async (hash) => sessions.rows().find(({ secretHash }) => secretHash === hash),
      list: async ({ subject, ...stretch }) =>
        sessions.page(stretch, (one) => (subject ?? one.subject) === one.subject),
      touch: async (id, seenAt) => {
        const session = sessions.get(id)
        if (session) sessions.set(id, { ...session, seenAt })
      },
      remove: async (id) => sessions.take(id),
      eraseOf: async (subject) => void sessions.prune((session) => session.subject === subject),
      prune: async ({ now, idleSince }, limit) =>
        sessions.prune(
          ({ expiresAt, seenAt, subject }) => expiresAt < now || seenAt < idleSince || isDeleted(subject),
          limit,
        ),
    },
    loginLinks: {
      add: async (link) => links.set(link.secretHash, link),
      find: async (hash) => links.get(hash),
      remove: async (hash) => links.take(hash),
      eraseOf: async (subject) => void links.prune((link) => link.subject === subject),
      prune: async (before, limit) => links.prune(({ expiresAt }) => expiresAt < before, limit),
    },
    deletionRuns: {
      find: async (id) => runs.get(id),
      listOf: async (owner, limit) =>
        runs
          .rows()
          .filter((run) => run.owner === owner)
          .sort((a, b) => b.createdAt - a.createdAt)
          .slice(0, limit),
      part: async (id, part) => parts.get(`${id} ${part}`)?.rows ?? [],
      put: async (run) => runs.set(run.id, run),
      putPart: async (id, part, rows) => parts.set(`${id} ${part}`, { run: id, rows: [...rows] }),
      prune: async (now, limit) => {
        const gone = runs
          .rows()
          .filter(({ expiresAt }) => expiresAt < now)
          .slice(0, limit)
          .map(({ id }) => id)
        for (const id of gone) runs.delete(id)
        parts.prune(({ run }) => gone.includes(run))
        return gone.length
      },
    },
  }
}
