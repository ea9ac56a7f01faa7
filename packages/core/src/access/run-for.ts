import type { Readers } from '../readers.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import type { UserReader } from '../users/user.ts'
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
export const runFor = <Result>(
  ports: Needs<'access' | 'unitOfWork'>,
  guarded: Guarded,
  caller: Caller,
  target: string | undefined,
  work: (stores: Stores, requireSame: () => Promise<void>) => Promise<Result>,
): Promise<Result> => runnerFor(ports, guarded, caller, target)(work)

/** The same for one work after another: each begins with the caller as it was found last. */
const runnerFor = (
  { access, unitOfWork }: Needs<'access' | 'unitOfWork'>,
  guarded: Guarded,
  caller: Caller,
  target?: string,
) => {
  const last = lastFound(caller)
  return async <Result>(
    work: (stores: Stores, requireSame: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> => {
    for (;;) {
      try {
        return await unitOfWork.run((stores) =>
          work(stores, async () => {
            const changed = await last.changed((id, tokenId) => stores.users.callerStatus(id, tokenId))
            if (changed !== undefined) throw new CallerChanged(changed)
          }),
        )
      } catch (error) {
        if (!(error instanceof CallerChanged)) throw error
        await access.require(error.caller, guarded, target)
        last.roles = error.caller.roles
      }
    }
  }
}

/** Runs one part of work that takes long, such as the rows of an import that have come. */
export type RunPart = <Result>(part: (stores: Stores) => Promise<Result>) => Promise<Result>

/** Runs the parts of work that takes long, each as `runFor`. */
export const partsFor = (ports: Needs<'access' | 'unitOfWork'>, guarded: Guarded, caller: Caller): RunPart => {
  const run = runnerFor(ports, guarded, caller)
  return (part) =>
    run(async (stores, requireSame) => {
      await requireSame()
      return await part(stores)
    })
}

/**
 * Gives what requires, before each part of an answer that takes long, that the caller still may have it; it throws as `runFor`.
 */
export const stillFor = (
  { access, readers }: Needs<'access'> & { readonly readers: Pick<Readers, 'users'> },
  guarded: Guarded,
  caller: Caller,
  target?: string,
): (() => Promise<void>) => {
  const last = lastFound(caller)
  return async () => {
    const changed = await last.changed((id, tokenId) => readers.users.accountStatus(id, tokenId))
    if (changed === undefined) return
    await access.require(changed, guarded, target)
    last.roles = changed.roles
  }
}

/** The roles that the policy was asked about last. */
const lastFound = (caller: Caller) => ({
  roles: caller.roles,
  /** The caller as it is now, if its roles are others: what it is bound to is what it came with. */
  async changed(statusOf: UserReader['accountStatus']): Promise<Caller | undefined> {
    if (caller.roleSource === 'operator') return undefined
    const now = admitAgain(caller, await statusOf(caller.id, caller.tokenId))
    return now.roles.join() === this.roles.join() ? undefined : now
  },
})
