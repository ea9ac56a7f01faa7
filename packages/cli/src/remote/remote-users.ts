import { randomUUID } from 'node:crypto'
import { isChangedTag } from '@rollcall/client'
import {
  cursorOf,
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
import { serverError } from './decode.ts'
import { type GivenParams, inPath } from './remote-request.ts'
import type { RemoteServer, RemoteUseCases } from './remote-server.ts'
import { addressKeyOf } from './schema-parts.ts'
import { schemas } from './schemas.ts'

const userWith = (userId: string) => ({ userId: inPath(UserNotFound, userId) })

/** The use cases about users, over HTTP. */
export const remoteUsers = (server: RemoteServer) => {
  const getErasureReceipt = async ({ userId }: { readonly userId: string }): Promise<PublishedReceipt> =>
    await server.get('getErasureReceipt', { userId: inPath(ReceiptNotFound, userId) }, schemas.receipt)
  const getUser = async ({ userId }: { readonly userId: string }): Promise<PublishedUser> =>
    await server.get('getUser', userWith(userId), schemas.user)
  return {
    listUsers: ({ inactiveSince: inactive_since, query, role, suspended, sort, limit, cursor }) =>
      server.get(
        'listUsers',
        { query, role, suspended, inactive_since, sort, limit, cursor },
        schemas.pageOf(schemas.user),
      ),
    getUser,
    getErasureReceipt,
    // Found out by reading alone: nothing that could delete is ever sent for it.
    planUserDeletion: async ({ userId, reason, administratorsBefore = 0 }) => {
      const user = await getUser({ userId }).catch((error: unknown) => {
        if (error instanceof UserNotFound || error instanceof UserDeleted) return error
        throw error
      })
      if (user instanceof DomainError) return { userId, user: undefined, subscriptions: 0, refusal: user }
      parseDeletionReason(reason, { ...user, emailKey: addressKeyOf(user.email) })
      const subscriptions = await countOf(server, 'listSubscriptions', { email: user.email })
      const needed = administratorsBefore + 2
      const isLast =
        isAdministrator(user) &&
        (await countOf(server, 'listUsers', { role: 'admin', suspended: false }, needed)) < needed
      return { userId, user, subscriptions, refusal: isLast ? new LastAdministrator() : undefined }
    },
    putUser: async ({ userId, email, name, roles }) => {
      const answer = await server.ask('putUser', { ...userWith(parseUserId(userId)), body: { email, name, roles } })
      const created = answer.status === 201
      return { user: created ? answer.as(schemas.user) : await getUser({ userId }), created }
    },
    patchUser: async ({ userId, precondition: _, ...body }) =>
      (await server.ask('patchUser', { ...userWith(userId), body })).as(schemas.user),
    suspendUser: async ({ userId, reason }) =>
      (await server.ask('suspendUser', { ...userWith(userId), body: { reason } })).as(schemas.user),
    resumeUser: async ({ userId, reason }) =>
      (await server.ask('resumeUser', { ...userWith(userId), body: { reason } })).as(schemas.user),
    restoreUser: async ({ userId, reason }) =>
      (await server.ask('restoreUser', { ...userWith(userId), body: { reason } })).as(schemas.user),
    deleteUser: async (command, caller) => {
      const { userId, reason, subscriptions, subscriptionsExpected: expected } = command
      const user = userWith(userId)
      // By its name in the trail a deletion is known again, should its answer be lost.
      const { requestId = randomUUID() } = caller
      const { ifMatch, trouble } = await conditionOn(server, user, command.precondition)
      const params = { ...user, ifMatch, reason, subscriptions, subscriptions_expected: expected }
      const doneBefore = async (error: DomainError) =>
        error instanceof UserDeleted && (await getErasureReceipt({ userId })).record?.requestId === requestId
      await server.ask('deleteUser', params, { requestId, doneBefore }).catch((error: unknown) => {
        throw error instanceof PreconditionFailed ? (trouble ?? error) : error
      })
      const { tombstone } = await getErasureReceipt({ userId }).catch((error: unknown) => {
        throw receiptMissing(userId, error)
      })
      const { erased, subscriptionsKept } = tombstone
      return { userId, subscriptionsErased: erased.subscriptions, subscriptionsKept }
    },
  } satisfies Partial<RemoteUseCases>
}

/** How many a list has, as long as that is at most as many as are asked for. */
const countOf = async <Id extends 'listSubscriptions' | 'listUsers'>(
  server: RemoteServer,
  operation: Id,
  filter: GivenParams<Id>,
  most = Number.POSITIVE_INFINITY,
): Promise<number> => {
  let count = 0
  for (let cursor: string | undefined; count < most; ) {
    const page = { ...filter, limit: 200, cursor }
    const { items, next } = await server.get(operation, page, schemas.pageOf(schemas.any))
    count += items.length
    if (next === undefined) break
    cursor = cursorOf(next)
  }
  return count
}

/** An entity tag that no record has. */
const IMPOSSIBLE = '"none"'

/** A condition that the server checks, and why it may fail although nothing has changed. */
interface Condition {
  readonly ifMatch?: string
  readonly trouble?: CliError
}

/**
 * Checks a condition against the user as it is, and makes it one that the server checks: the entity tag of what was
 * read. Empty where there is no condition.
 * @throws {PreconditionFailed} it does not hold
 */
const conditionOn = async (
  server: RemoteServer,
  user: { readonly userId: string },
  precondition: Precondition<PublishedUser> | undefined,
): Promise<Condition> => {
  if (precondition === undefined) return {}
  try {
    const answer = await server.ask('getUser', user)
    if (!precondition(answer.as(schemas.user))) throw new PreconditionFailed()
    const { entityTag = '' } = answer
    return isChangedTag(entityTag)
      ? { ifMatch: entityTag || IMPOSSIBLE, trouble: tagChanged(entityTag) }
      : { ifMatch: entityTag }
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof PreconditionFailed) throw error
    // A refusal to show the record may differ from the refusal to change it: the change itself gives the right one.
    return { ifMatch: IMPOSSIBLE }
  }
}

const tagChanged = (entityTag: string): CliError =>
  serverError(
    'EntityTagChanged',
    `A proxy ${entityTag === '' ? 'removed' : 'changed'} the entity tag of what the server answered, so the server cannot tell whether the user is still as it was read. Have the proxy leave what Rollcall answers uncompressed (in nginx by \`gzip off;\`), then run the command again.`,
  )

/** The user is deleted all the same; only what went with it is not known. */
const receiptMissing = (userId: string, cause: unknown): CliError => {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new CliError(`User ${userId} is deleted, but the receipt could not be read. ${why}`, {
    name: cause instanceof Error ? cause.name : 'ReceiptMissing',
    exitCode: cause instanceof CliError ? cause.exitCode : ExitCode.unusable,
    cause,
  })
}
