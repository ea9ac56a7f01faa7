import { EmailTaken, type Instant, type TombstoneStore, type User, type UserStore } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { pageOf } from './page-of.ts'

export const memoryUsers = (journal: Journal): { users: UserStore; tombstones: TombstoneStore } => {
  const users = new Table<string, User>(journal)
  const tombstones = new Table<string, Instant>(journal)

  const matches = (query: string | undefined, role: string | undefined) => (user: User) =>
    (query === undefined || [user.id, user.name, user.email].some((text) => folded(text).includes(folded(query)))) &&
    (role === undefined || user.roles.includes(role))

  return {
    users: {
      find: async (id) => users.get(id),
      standing: async (subject) =>
        tombstones.get(subject) === undefined
          ? users.get(subject) && { roles: users.get(subject)?.roles ?? [] }
          : 'deleted',
      list: async ({ query, role, ...stretch }) => pageOf(users, stretch, matches(query, role)),
      put: async (user) => {
        if (users.rows().some(({ id, emailKey }) => id !== user.id && emailKey === user.emailKey))
          throw new EmailTaken()
        users.set(user.id, user)
      },
      erase: async (id) => users.delete(id),
      countWithRole: async (role) => users.rows().filter(({ roles }) => roles.includes(role)).length,
    },
    tombstones: {
      add: async (id, deletedAt) => {
        if (tombstones.get(id) === undefined) tombstones.set(id, deletedAt)
      },
      has: async (id) => tombstones.get(id) !== undefined,
    },
  }
}

const folded = (text: string): string => text.toLowerCase()
