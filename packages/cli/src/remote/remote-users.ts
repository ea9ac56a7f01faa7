import { randomUUID } from 'node:crypto'
import {
  type Caller,
  type DeletionReport,
  DomainError,
  isAdministrator,
  LastAdministrator,
  type Precondition,
  PreconditionFailed,
  type PublishedReceipt,
  type PublishedUser,
  parseDeletionReason,
  parseUserId,
  ReceiptNotFound,
  UserDeleted,
  UserNotFound,
} from '@rollcall/core'
import { CliError, ExitCode } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { remoteCount, remotePage } from './remote-list.ts'
import { pathOf } from './remote-request.ts'
import type { RemoteServer } from './remote-server.ts'
import { addressKeyOf, schemas } from './schemas.ts'

type UserUseCases = Pick<
  CliUseCases,
  'deleteUser' | 'getErasureReceipt' | 'getUser' | 'listUsers' | 'planUserDeletion' | 'putUser' | 'restoreUser'
>

/** @throws what is said of a user who cannot be */
const pathOfUser = (userId: string, none: () => DomainError, ...rest: readonly string[]): string => {
  const path = pathOf('users', userId, ...rest)
  if (path === undefined) throw none()
  return path
}

const unknownUser = (): DomainError => new UserNotFound()

/** The use cases about users, over HTTP. */
export const remoteUsers = (server: RemoteServer): UserUseCases => {
  const receipt = async (userId: string): Promise<PublishedReceipt> => {
    const path = pathOfUser(userId, () => new ReceiptNotFound(), 'erasure')
    return await server.get(path, schemas.receipt)
  }
  const find = async (userId: string): Promise<PublishedUser> =>
    await server.get(pathOfUser(userId, unknownUser), schemas.user)
  return {
    listUsers: {
      execute: ({ query, role, ...request }) =>
        remotePage(server, { path: '/users', filter: { query, role } }, schemas.user, request),
    },
    getUser: { execute: ({ userId }) => find(userId) },
    getErasureReceipt: { execute: ({ userId }) => receipt(userId) },
    // Found out by reading alone: nothing that could delete is ever sent for it.
    planUserDeletion: {
      execute: async ({ userId, reason, administratorsBefore = 0 }) => {
        const user = await find(userId).catch((error: unknown) => {
          if (error instanceof UserNotFound || error instanceof UserDeleted) return error
          throw error
        })
        if (user instanceof DomainError) return { userId, user: undefined, subscriptions: 0, refusal: user }
        parseDeletionReason(reason, { ...user, emailKey: addressKeyOf(user.email) })
        const ofAddress = { path: '/subscriptions', filter: { email: user.email } }
        const subscriptions = await remoteCount(server, ofAddress, Number.POSITIVE_INFINITY)
        const administrators = { path: '/users', filter: { role: 'admin' } }
        const needed = administratorsBefore + 2
        const isLast = isAdministrator(user) && (await remoteCount(server, administrators, needed)) < needed
        return { userId, user, subscriptions, refusal: isLast ? new LastAdministrator() : undefined }
      },
    },
    putUser: {
      execute: async ({ userId, email, name, roles }) => {
        const path = pathOfUser(parseUserId(userId), unknownUser)
        const answer = await server.ask({ method: 'PUT', path, json: { email, name, roles } })
        const created = answer.status === 201
        return { user: created ? answer.as(schemas.user) : await find(userId), created }
      },
    },
    restoreUser: {
      execute: async ({ userId, reason }) => {
        const path = pathOfUser(userId, unknownUser, 'restore')
        return (await server.ask({ method: 'POST', path, json: { reason } })).as(schemas.user)
      },
    },
    deleteUser: {
      execute: async (command, caller): Promise<DeletionReport> => {
        const { userId, reason, subscriptions, subscriptionsExpected: expected } = command
        const path = pathOfUser(userId, unknownUser)
        // By its name in the trail a deletion is known again, should its answer be lost.
        const requestId = requestIdOf(caller)
        const ifMatch = await conditionOn(server, path, command.precondition)
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

/** An entity tag that no record has. */
const IMPOSSIBLE = '"none"'

/**
 * Checks a condition against the user as it is, and makes it one that the server checks: the entity tag of what was
 * read. Undefined where there is no condition.
 * @throws {PreconditionFailed} it does not hold
 */
const conditionOn = async (
  server: RemoteServer,
  path: string,
  precondition: Precondition<PublishedUser> | undefined,
): Promise<string | undefined> => {
  if (precondition === undefined) return undefined
  try {
    const answer = await server.ask({ method: 'GET', path })
    if (!precondition(answer.as(schemas.user))) throw new PreconditionFailed()
    return answer.entityTag ?? IMPOSSIBLE
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof PreconditionFailed) throw error
    // A refusal to show the record may differ from the refusal to change it: the change itself gives the right one.
    return IMPOSSIBLE
  }
}

/** The user is deleted all the same; only what went with it is not known. */
const receiptMissing = (userId: string, cause: unknown): CliError => {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new CliError(`User ${userId} is deleted, but the receipt could not be read. ${why}`, {
    name: cause instanceof Error ? cause.name : 'ReceiptMissing',
    exitCode: cause instanceof CliError ? cause.exitCode : ExitCode.unusable,
    cause,
  })
}
