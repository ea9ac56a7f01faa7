import {
  type AccountStatus,
  dayOf,
  EmailTaken,
  findsTerms,
  type HeldUser,
  inactivePlace,
  type OwnedTombstone,
  type ProvisionedFilter,
  type Stores,
  type User,
  UserDeleted,
  type UserFilter,
  UserNameTaken,
  type UserReader,
  type UserStore,
  userNameKey,
  userTerms,
} from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

export const memoryUsers = (
  journal: Journal,
  tombstones: Table<string, OwnedTombstone>,
  isRevoked: (tokenId: string | undefined) => boolean,
): Pick<Stores, 'tombstones' | 'heldUsers'> & { readonly users: UserStore & UserReader } => {
  const users = new Table<string, User>(journal)
  const held = new Table<string, HeldUser>(journal)

  const accountStatus = async (subject: string, tokenId?: string): Promise<AccountStatus> => {
    if (tombstones.get(subject)) return 'deleted'
    return isRevoked(tokenId) ? 'revoked' : accountStatusOf(users.get(subject))
  }
  const provisionedOnes = ({ userName, emailKey, externalId, suspended }: ProvisionedFilter) => {
    const named = users.rows().filter((user) => nameKeyOf(user) === userName)
    return users.rows().filter((user) => {
      const known = user.provisioned
      const isSo = known === undefined ? user.emailKey === emailKey && named.length === 0 : named.includes(user)
      return (
        (userName === undefined || isSo) &&
        (externalId === undefined || (known === undefined ? user.id : known.externalId) === externalId) &&
        (suspended === undefined || suspended === (user.suspendedAt !== undefined))
      )
    })
  }
  const matches =
    ({ words, role, suspended }: Omit<UserFilter, 'after' | 'limit'>) =>
    (user: User) =>
      findsTerms(userTerms(user), words) &&
      (role === undefined || user.roles.includes(role)) &&
      (suspended === undefined || suspended === (user.suspendedAt !== undefined))

  return {
    users: {
      find: async (id) => users.get(id),
      withEmail: async (emailKey) => users.rows().find((user) => user.emailKey === emailKey),
      accountStatus,
      callerStatus: accountStatus,
      list: async (filter) => users.page(filter, matches(filter)),
      listInactive: async ({ before, ...filter }) => {
        const isInactive = ({ lastSeenAt, createdAt }: User) => dayOf(lastSeenAt ?? createdAt) < dayOf(before)
        return users.page(filter, (user) => isInactive(user) && matches(filter)(user), inactivePlace)
      },
      put: async (user) => {
        if (tombstones.get(user.id)) throw new UserDeleted()
        if (users.rows().some(({ id, emailKey }) => id !== user.id && emailKey === user.emailKey))
          throw new EmailTaken()
        const name = nameKeyOf(user)
        if (users.rows().some((one) => one.id !== user.id && name !== undefined && nameKeyOf(one) === name))
          throw new UserNameTaken()
        users.set(user.id, user)
      },
      erase: async (id) => users.delete(id),
      noteSeen: async (id, day) => {
        const user = users.get(id)
        if (user && day > (user.lastSeenAt ?? -1)) users.set(id, { ...user, lastSeenAt: day })
      },
      listProvisioned: async (filter, offset, limit) => provisionedOnes(filter).slice(offset, offset + limit),
      countProvisioned: async (filter) => provisionedOnes(filter).length,
      countWithRole: async (role) => users.rows().filter(matches({ role, suspended: false })).length,
    },
    tombstones: {
      put: async (id, tombstone) => tombstones.set(id, { id, tombstone }),
      find: async (id) => tombstones.get(id)?.tombstone,
      list: async ({ after = '', limit }) =>
        tombstones
          .rows()
          .filter(({ id }) => id > after)
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, limit),
      remove: async (id) => tombstones.delete(id),
      has: async (id) => tombstones.get(id) !== undefined,
    },
    heldUsers: {
      add: async (one) => {
        if (held.get(one.user.id)) throw new RangeError('this user is held already')
        held.set(one.user.id, one)
      },
      find: async (id) => held.get(id),
      remove: async (id) => held.delete(id),
      list: async ({ after = '', limit }) =>
        held
          .rows()
          .filter(({ user }) => user.id > after)
          .sort((a, b) => (a.user.id < b.user.id ? -1 : 1))
          .slice(0, limit),
      due: async (now, limit) =>
        held
          .rows()
          .filter(({ erasesAt }) => erasesAt <= now)
          .sort((a, b) => a.erasesAt - b.erasesAt)
          .slice(0, limit),
    },
  }
}

const nameKeyOf = ({ provisioned }: User) => provisioned && userNameKey(provisioned.userName)

const accountStatusOf = (user: User | undefined): AccountStatus => {
  if (user === undefined) return undefined
  const { roles, tokensNotBefore, suspendedAt } = user
  if (suspendedAt !== undefined) return 'suspended'
  return tokensNotBefore === undefined ? { roles } : { roles, tokensNotBefore }
}
