import type { ErasureReceipt } from '@rollcall/client'
import { shellWord, UserDeleted, UserNotFound } from '@rollcall/core'
import { type CliError, refusedError } from '../cli-error.ts'
import { inPath, isRefusal, type Service } from '../service/service.ts'
import type { Here, Session } from '../session.ts'
import { shortInstantText } from '../texts.ts'
import { isAddress } from './by-email.ts'

/**
 * Does what is about one user.
 * @throws {CliError} in place of `UserDeleted`: that the deletion can still be undone, and how; in place of `UserNotFound`:
 *   that an address was taken for an id
 */
export const namingRestore = async <T>(
  session: Session,
  userId: string,
  work: (service: Service, named: { readonly userId: string }, here: Here) => Promise<T>,
  { onlyById = false }: { readonly onlyById?: boolean } = {},
): Promise<T> =>
  await session.withService(async (service, here) => {
    // Looked at once it is needed: what can be in no path is refused by what is done, too.
    const named = {
      get userId() {
        return inPath(UserNotFound, userId)
      },
    }
    try {
      return await work(service, named, here)
    } catch (error) {
      if (isRefusal(error, 'UserNotFound') && isAddress(userId)) throw notById(userId, onlyById)
      const isDeleted = isRefusal(error, 'UserDeleted') || error instanceof UserDeleted
      if (!isDeleted) throw error
      const receipt = await service.ask('getErasureReceipt', named).catch(() => undefined)
      // What is left of a grace that is over is no time.
      const until = receipt?.erases_at ?? undefined
      if (until === undefined) throw error
      throw refusedError(
        'UserDeleted',
        `This user was deleted, and is erased at ${shortInstantText(until)}. Until then, \`rollcall user restore ${shellWord(userId)}\` undoes it.`,
      )
    }
  })

/** That an address stands where an id does. */
const notById = (userId: string, onlyById: boolean): CliError => {
  const way = onlyById
    ? 'If it is an e-mail address: `rollcall user list` shows the id, and with --held that of who can come back.'
    : "If it is the user's e-mail address, add --by email."
  return refusedError('UserNotFound', `There is no user with the id '${userId}'. ${way}`)
}

/** How many subscriptions of the same address stayed. */
export const keptSubscriptions = ({ kept }: ErasureReceipt): number =>
  kept.find(({ what }) => what === 'subscriptions')?.count ?? 0
