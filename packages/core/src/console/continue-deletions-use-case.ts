import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { DomainError, InvalidInput, Unavailable, UserDeleted } from '../errors.ts'
import { SECOND } from '../instant.ts'
import { UseCase } from '../use-case.ts'
import { DeleteUserUseCase } from '../users/delete-user-use-case.ts'
import { PlanUserDeletionUseCase } from '../users/plan-user-deletion-use-case.ts'
import { RestoreUserUseCase } from '../users/restore-user-use-case.ts'
import { asUserId, isAdministrator } from '../users/user.ts'
import type { DeletionRun, RowState, RunPhase, RunRow } from './deletion-run.ts'

export interface ContinueDeletionsCommand {
  readonly id: string
  /** What begins with this step; otherwise what is under way goes on. */
  readonly begin?: 'deleting' | 'restoring' | undefined
  /** How many users go: typed by the person before anything does. */
  readonly typed?: string | undefined
}

/** Milliseconds that one step may take before it leaves the rest to the next. */
const LONGEST_STEP = 5 * SECOND
/** After a crash another request may go on. */
const LEASE = 15 * SECOND
/** Rows that are done at once: they share a commit. */
const AT_ONCE = 20

const AFTER: Partial<Record<RunPhase, RunPhase>> = { planning: 'planned', deleting: 'done', restoring: 'restored' }
const WORKED_ON: Partial<Record<RunPhase, RowState>> = { planning: 'listed', deleting: 'ready', restoring: 'deleted' }

/**
 * One step of a run: at most one part of its rows. What a step did and could not write down is found by the receipts, so
 * nothing is done twice, and nothing is left out of the report.
 */
export class ContinueDeletionsUseCase extends UseCase<
  'access' | 'clock' | 'deleteGrace' | 'erasure' | 'trail' | 'transport' | 'unitOfWork',
  'audit' | 'deletionRuns' | 'feeds' | 'subscriptions' | 'tombstones' | 'users'
> {
  static readonly permission = 'users:delete'
  static readonly action = 'user.delete'

  readonly #plan: PlanUserDeletionUseCase
  readonly #delete: DeleteUserUseCase
  readonly #restore: RestoreUserUseCase

  constructor(all: Dependencies) {
    super(all)
    this.#plan = new PlanUserDeletionUseCase(all)
    this.#delete = new DeleteUserUseCase(all)
    this.#restore = new RestoreUserUseCase(all)
  }

  /**
   * The run after the step; as it is where another request works on it. Undefined where the caller has none of this id.
   * @throws {InvalidInput} the number that was typed is another
   */
  async execute(command: ContinueDeletionsCommand, caller: Caller): Promise<DeletionRun | undefined> {
    await this.ports.access.require(caller, ContinueDeletionsUseCase)
    const now = this.ports.clock.now()
    const taken = await this.ports.unitOfWork.run(async ({ deletionRuns }) => {
      const found = await deletionRuns.find(command.id)
      if (found === undefined || found.owner !== caller.id || found.expiresAt <= now) return undefined
      if (found.busyUntil > now) return { run: found, isOurs: false }
      const run = { ...begun(found, command), busyUntil: now + LEASE }
      if (AFTER[run.phase] === undefined) return { run: found, isOurs: false }
      await deletionRuns.put(run)
      return { run, isOurs: true }
    })
    return taken?.isOurs ? await this.#step(taken.run, caller) : taken?.run
  }

  async #step(run: DeletionRun, caller: Caller): Promise<DeletionRun> {
    const until = this.ports.clock.now() + LONGEST_STEP
    const rows = [...(await this.ports.readers.deletionRuns.part(run.id, run.next))]
    const counts = { ...run.counts }
    let { administrators } = run
    try {
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        if (this.ports.clock.now() >= until) break
        const some = rows.slice(at, at + AT_ONCE)
        const done = run.phase === 'planning' ? [] : await Promise.all(some.map((row) => this.#do(run, row, caller)))
        // One after another: whether a user is the last administrator depends on those before.
        if (run.phase === 'planning')
          for (const row of some) {
            const [after, isAdmin] = await this.#planned({ ...run, administrators }, row, caller)
            done.push(after)
            if (isAdmin) administrators++
          }
        for (const [i, after] of done.entries()) {
          const before = rows[at + i]?.state ?? after.state
          counts[before]--
          counts[after.state]++
          rows[at + i] = after
        }
      }
    } finally {
      // Also where the storage was gone for a moment: what was done by then is written down.
      const isOver = !rows.some(({ state }) => state === WORKED_ON[run.phase])
      run = nextOf({ ...run, counts, administrators, busyUntil: 0 }, isOver)
      const { next, ...whole } = run
      await this.ports.unitOfWork.run(async ({ deletionRuns }) => {
        await deletionRuns.putPart(run.id, isOver ? previous(run) : next, rows)
        await deletionRuns.put({ ...whole, next })
      })
    }
    return run
  }

  async #planned(run: DeletionRun, row: RunRow, caller: Caller): Promise<[RunRow, boolean]> {
    if (row.state !== 'listed') return [row, false]
    const { reason, administrators } = run
    try {
      const command = { userId: row.userId, reason, administratorsBefore: administrators }
      const { user, subscriptions, refusal } = await this.#plan.execute(command, caller)
      if (refusal !== undefined || user === undefined)
        return [{ ...row, state: 'refused', because: refusal?.name ?? 'UserNotFound' }, false]
      return [{ ...row, state: 'ready', updatedAt: user.updatedAt, subscriptions }, isAdministrator(user)]
    } catch (error) {
      return [{ ...row, state: 'refused', because: nameOf(error) }, false]
    }
  }

  async #do(run: DeletionRun, row: RunRow, caller: Caller): Promise<RunRow> {
    if (row.state !== WORKED_ON[run.phase]) return row
    const { userId } = row
    if (run.phase === 'restoring')
      try {
        await this.#restore.execute({ userId }, caller)
        return { ...row, state: 'restored' }
      } catch (error) {
        return { ...row, state: 'kept', because: nameOf(error) }
      }
    try {
      const { reason, subscriptions } = run
      const precondition = (user: { readonly updatedAt: number } | undefined) => user?.updatedAt === row.updatedAt
      const expected = subscriptions === 'erase' ? row.subscriptions : undefined
      const command = { userId, reason, subscriptions, subscriptionsExpected: expected }
      await this.#delete.execute({ ...command, precondition }, caller)
      return { ...row, state: 'deleted' }
    } catch (error) {
      if (error instanceof UserDeleted && (await this.#wasOurs(run, userId))) return { ...row, state: 'deleted' }
      return { ...row, state: 'failed', because: nameOf(error) }
    }
  }

  /** Whether it was deleted by this run, which was interrupted before it wrote that down. */
  async #wasOurs(run: DeletionRun, userId: string): Promise<boolean> {
    const id = asUserId(userId)
    const tombstone = id && (await this.ports.readers.tombstones.find(id))
    if (!tombstone || tombstone.deletedAt < run.createdAt) return false
    const record = await this.ports.readers.audit.find(tombstone.audit)
    return record?.actor === run.owner && record.channel === 'console' && record.reason === run.reason
  }
}

const begun = (run: DeletionRun, { begin, typed }: ContinueDeletionsCommand): DeletionRun => {
  if (begin === 'deleting' && run.phase === 'planned') {
    if (typed?.trim() !== String(run.counts.ready))
      throw new InvalidInput([{ field: 'typed', message: `Type the number of users that go: ${run.counts.ready}.` }])
    return { ...run, phase: 'deleting', next: 0 }
  }
  return begin === 'restoring' && run.phase === 'done' ? { ...run, phase: 'restoring', next: 0 } : run
}

const nextOf = (run: DeletionRun, isOver: boolean): DeletionRun => {
  if (!isOver) return run
  const next = run.next + 1
  return next < run.parts ? { ...run, next } : { ...run, next, phase: AFTER[run.phase] ?? run.phase }
}

const previous = ({ next }: DeletionRun): number => next - 1

/** @throws what is no refusal: the row stays as it is, and is tried again */
const nameOf = (error: unknown): string => {
  if (!(error instanceof DomainError) || error instanceof Unavailable) throw error
  return error.name
}
