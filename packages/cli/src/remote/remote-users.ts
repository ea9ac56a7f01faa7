import { randomUUID } from 'node:crypto'
import {
  type Caller,
  type DeletionReport,
  type DomainError,
  type ErasureReceipt,
  parseUserId,
  ReceiptNotFound,
  type User,
  UserDeleted,
  UserNotFound,
} from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import { conditionOn } from './condition-on.ts'
import { receiptMissing } from './receipt-missing.ts'
import { remotePage } from './remote-list.ts'
import { pathOf } from './remote-request.ts'
import type { RemoteServer } from './remote-server.ts'
import { toldReceipt, toldUser } from './told-users.ts'

type UserUseCases = Pick<
  CliUseCases,
  'deleteUser' | 'getErasureReceipt' | 'getUser' | 'listUsers' | 'putUser' | 'restoreUser'
>

/** @throws what is said of a user who cannot be */
const pathOfUser = (userId: string, none: () => DomainError, ...rest: readonly string[]): string => {
  const path = pathOf('users', userId, ...rest)
  if (path === undefined) throw none()
  return path
}

const nobody = (): DomainError => new UserNotFound()

/** The use cases about users, over HTTP. */
export const remoteUsers = (server: RemoteServer): UserUseCases => {
  const receipt = async (userId: string): Promise<ErasureReceipt> => {
    const path = pathOfUser(userId, () => new ReceiptNotFound(), 'erasure')
    return toldReceipt((await server.ask({ method: 'GET', path })).told())
  }
  const find = async (userId: string): Promise<User> =>
    toldUser((await server.ask({ method: 'GET', path: pathOfUser(userId, nobody) })).told())
  return {
    listUsers: {
      execute: ({ query, role, ...request }) =>
        remotePage(server, { path: '/users', filter: { query, role }, item: toldUser }, request),
    },
    getUser: { execute: ({ userId }) => find(userId) },
    getErasureReceipt: { execute: ({ userId }) => receipt(userId) },
    putUser: {
      execute: async ({ userId, email, name, roles }) => {
        const path = pathOfUser(parseUserId(userId), nobody)
        const answer = await server.ask({ method: 'PUT', path, json: { email, name, roles } })
        const created = answer.status === 201
        return { user: created ? toldUser(answer.told()) : await find(userId), created }
      },
    },
    restoreUser: {
      execute: async ({ userId, reason }) => {
        const path = pathOfUser(userId, nobody, 'restore')
        return toldUser((await server.ask({ method: 'POST', path, json: { reason } })).told())
      },
    },
    deleteUser: {
      execute: async (command, caller): Promise<DeletionReport> => {
        const { userId, reason, subscriptions, subscriptionsExpected: expected } = command
        const path = pathOfUser(userId, nobody)
        // By its name in the trail a deletion is known again, should its answer be lost.
        const requestId = requestIdOf(caller)
        const ifMatch = await conditionOn(server, path, toldUser, command.precondition)
        await server.ask({
          ...{ method: 'DELETE', path, requestId, ifMatch },
          query: { reason, subscriptions, subscriptions_expected: expected },
          doneBefore: async (error) =>
            error instanceof UserDeleted && (await receipt(userId)).record?.requestId === requestId,
        })
        const { tombstone } = await receipt(userId).catch((error: unknown) => {
          throw receiptMissing(userId, error)
        })
        const { erased, subscriptionsKept } = tombstone
        return { userId, subscriptionsErased: erased.subscriptions, subscriptionsKept }
      },
    },
  }
}

const requestIdOf = ({ requestId = randomUUID() }: Caller): string => requestId
