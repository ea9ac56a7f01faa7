import {
  type Caller,
  operator,
  type UnitOfWork,
  type User,
  type UserChangeRequest,
  type UserChanges,
  type UserId,
} from '@rollcall/core'

export const aUser = (id: string, changes: Partial<User> = {}): User => ({
  id: id as UserId,
  email: `${id}@example.com`,
  emailKey: `${id}@example.com`,
  name: '',
  roles: [],
  createdAt: 1,
  updatedAt: 1,
  ...changes,
})

const record = (action: 'user.put' | 'user.delete', target: string) => ({
  ...({
    at: 1,
    actor: 'me',
    roleSource: 'operator',
    channel: 'cli',
    tokenId: undefined,
    requestId: undefined,
  } as const),
  ...{ action, target, outcome: 'done', reason: undefined, count: 1 },
  rolesHash: action === 'user.put' ? `roles of ${target}` : undefined,
})

const ROOT = operator('root')

/** Stores the user, whatever is there. */
export const storing = (user: User, caller: Caller = ROOT): UserChangeRequest => ({
  ...{ userId: user.id, caller },
  decide: (facts) => ({
    ...{ kind: 'store', user, record: record('user.put', user.id) },
    event: facts.user ? 'user.updated' : 'user.created',
  }),
})

/** Deletes the user, whose address has this hash. */
export const deleting = (id: string, address: string, caller: Caller = ROOT): UserChangeRequest => ({
  ...{ userId: id as UserId, caller },
  decide: ({ user }) => user && { kind: 'delete', user, address: address as never, record: record('user.delete', id) },
})

interface Changed {
  readonly unitOfWork: UnitOfWork
  readonly userChanges?: UserChanges | undefined
}

/** Adds a user as a use case does: if it is given back, in a unit of work. */
export const addUser = async ({ unitOfWork, userChanges }: Changed, id: string): Promise<void> => {
  if ((await userChanges?.make(storing(aUser(id)))) === undefined)
    await unitOfWork.run(({ users }) => users.put(aUser(id)))
}

/** Adds a user by the shorter way for changes of users; throws if that was not the way. */
export const createUser = async ({ userChanges }: Pick<Changed, 'userChanges'>, id: string) => {
  if ((await userChanges?.make(storing(aUser(id)))) === undefined) throw new Error('It was given back.')
}
