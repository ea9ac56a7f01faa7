import {
  DomainError,
  isAdministrator,
  LastAdministrator,
  type PlannedDeletion,
  parseDeletionReason,
  UserDeleted,
  UserNotFound,
} from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import { remoteCount } from './remote-list.ts'
import type { RemoteServer } from './remote-server.ts'

const EVERY = Number.POSITIVE_INFINITY

/** What a deletion would do, found out by reading alone: nothing that could delete is ever sent for it. */
export const remoteDeletionPlan = (
  server: RemoteServer,
  { getUser }: Pick<CliUseCases, 'getUser'>,
): Pick<CliUseCases, 'planUserDeletion'> => ({
  planUserDeletion: {
    execute: async ({ userId, reason, administratorsBefore = 0 }, caller): Promise<PlannedDeletion> => {
      const user = await getUser.execute({ userId }, caller).catch((error: unknown) => {
        if (error instanceof UserNotFound || error instanceof UserDeleted) return error
        throw error
      })
      if (user instanceof DomainError) return { userId, user: undefined, subscriptions: 0, refusal: user }
      parseDeletionReason(reason, user)
      const ofAddress = { path: '/subscriptions', filter: { email: user.email } }
      const subscriptions = await remoteCount(server, ofAddress, EVERY)
      const administrators = { path: '/users', filter: { role: 'admin' } }
      const needed = administratorsBefore + 2
      const isLast = isAdministrator(user) && (await remoteCount(server, administrators, needed)) < needed
      return { userId, user, subscriptions, refusal: isLast ? new LastAdministrator() : undefined }
    },
  },
})
