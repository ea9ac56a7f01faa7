import type { Readers } from '../readers.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import type { AccountStatus } from '../users/user.ts'
import type { Guarded } from './access-control.ts'
import { admitAgain } from './admit.ts'
import type { Caller } from './caller.ts'

/** The roles of the caller are others than those that the policy was asked about. */
class CallerChanged extends Error {
  override readonly name = 'CallerChanged'
  readonly caller: Caller

  constructor(caller: Caller) {
    super('The roles of the caller have changed.')
    this.caller = caller
  }
}

/**
 * Runs a unit of work for a caller that the policy has let in. The work calls `requireSame` when it has looked at what it
 * changes, and before it does: nothing is done by a caller who was suspended or deleted by then. If its roles have changed,
 * the policy is asked again, outside of the unit, which then runs again.
 * @throws {InsufficientPermissions}
 * @throws {Unauthenticated}
 */
export const runFor = async <Result>(
  { access, unitOfWork }: Needs<'access' | 'unitOfWork'>,
  guarded: Guarded,
  caller: Caller,
  target: string | undefined,
  work: (stores: Stores, requireSame: () => Promise<void>) => Promise<Result>,
): Promise<Result> => {
  for (let by = caller; ; ) {
    try {
      return await unitOfWork.run((stores) => work(stores, () => requireSame(stores, by)))
    } catch (error) {
      if (!(error instanceof CallerChanged)) throw error
      by = error.caller
      await access.require(by, guarded, target)
    }
  }
}

/** The same for a part of work that takes long, such as the rows of an import that have come. */
export const runPartFor = <Result>(
  ports: Needs<'access' | 'unitOfWork'>,
  guarded: Guarded,
  caller: Caller,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> =>
  runFor(ports, guarded, caller, undefined, async (stores, requireSame) => {
    await requireSame()
    return await work(stores)
  })

/**
 * Requires, for the next part of an answer that takes long, that the caller still may have it.
 * @throws {InsufficientPermissions}
 * @throws {Unauthenticated}
 */
export const requireStill = async (
  { access, readers }: Needs<'access'> & { readonly readers: Pick<Readers, 'users'> },
  guarded: Guarded,
  caller: Caller,
  target?: string,
): Promise<void> => {
  if (caller.roleSource === 'operator') return
  const changed = changedCaller(caller, await readers.users.accountStatus(caller.id, caller.tokenId))
  if (changed !== undefined) await access.require(changed, guarded, target)
}

const requireSame = async ({ users }: Pick<Stores, 'users'>, by: Caller): Promise<void> => {
  if (by.roleSource === 'operator') return
  const changed = changedCaller(by, await users.callerStatus(by.id, by.tokenId))
  if (changed !== undefined) throw new CallerChanged(changed)
}

/** As it is now, if its roles are others. */
const changedCaller = (by: Caller, status: AccountStatus): Caller | undefined => {
  const now = admitAgain(by, status)
  return now.roles.join() === by.roles.join() ? undefined : now
}
