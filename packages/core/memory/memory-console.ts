import type { ConsoleSession, DeletionRun, LoginLink, RunRow } from '../src/all.ts'
import type { Stores } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

export const memoryConsole = (journal: Journal): Pick<Stores, 'consoleSessions' | 'loginLinks' | 'deletionRuns'> => {
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
      list: async (stretch) => sessions.page(stretch),
      touch: async (id, seenAt) => {
        const session = sessions.get(id)
        if (session) sessions.set(id, { ...session, seenAt })
      },
      remove: async (id) => {
        const found = sessions.get(id) !== undefined
        sessions.delete(id)
        return found
      },
      prune: async ({ now, idleSince }, limit) =>
        sessions.prune(({ expiresAt, seenAt }) => expiresAt < now || seenAt < idleSince, limit),
    },
    loginLinks: {
      add: async (link) => links.set(link.secretHash, link),
      find: async (hash) => links.get(hash),
      remove: async (hash) => {
        const found = links.get(hash) !== undefined
        links.delete(hash)
        return found
      },
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
