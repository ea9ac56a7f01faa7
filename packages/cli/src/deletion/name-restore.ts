import { type Caller, UserDeleted } from '@rollcall/core'
import { refusedError } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import type { Session } from '../session.ts'
import { shortInstantText } from '../texts.ts'

/**
 * Does what is about one user.
 * @throws {CliError} in place of `UserDeleted`: that the deletion can still be undone, and how
 */
export const namingRestore = async <T>(
  session: Session,
  userId: string,
  work: (useCases: CliUseCases, caller: Caller) => Promise<T>,
): Promise<T> =>
  await session.withUseCases(async (useCases, caller) => {
    try {
      return await work(useCases, caller)
    } catch (error) {
      if (!(error instanceof UserDeleted)) throw error
      const receipt = await useCases.getErasureReceipt.execute({ userId }, caller).catch(() => undefined)
      // What is left of a grace that is over is no time.
      const until = receipt?.tombstone.erasesAt
      if (until === undefined) throw error
      throw refusedError(
        error.name,
        `This user was deleted, and is erased at ${shortInstantText(until)}. Until then, \`rollcall user restore ${userId}\` undoes it.`,
      )
    }
  })
