import type { Caller } from '../access/caller.ts'
import { BULK_CHANGES, type BulkRow, type ChangedRow, type PlannedRow } from '../bulk-changes/bulk-change.ts'
import { ChangeUsersUseCase, PlanUserChangesUseCase, wasOurs } from '../bulk-changes/bulk-change-use-cases.ts'
import type { Dependencies } from '../dependencies.ts'
import { type DomainError, InvalidInput, UserDeleted } from '../errors.ts'
import { SECOND } from '../instant.ts'
import { UseCase } from '../use-case.ts'
import {
  type DeletionRun,
  type DeletionRunReader,
  type RowState,
  RUN_LIFE,
  type RunPhase,
  type RunRow,
} from './deletion-run.ts'

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
  'access' | 'clock' | 'unitOfWork',
  'audit' | 'deletionRuns' | 'tombstones'
> {
  static readonly permission = 'users:delete'
  static readonly action = 'user.delete'

  readonly #plan: PlanUserChangesUseCase
  readonly #change: ChangeUsersUseCase

  constructor(all: Dependencies) {
    super(all)
    this.#plan = new PlanUserChangesUseCase(all)
    this.#change = new ChangeUsersUseCase(all)
  }

  /**
   * The run after the step; as it is if another request works on it. Undefined if the caller has none of this id.
   * @throws {InvalidInput} the number that was typed is another, or the reason says who one of the list is
   */
  async execute(command: ContinueDeletionsCommand, caller: Caller): Promise<DeletionRun | undefined> {
    await this.ports.access.require(caller, ContinueDeletionsUseCase)
    const now = this.ports.clock.now()
    const taken = await this.ports.unitOfWork.run(async ({ deletionRuns }) => {
      const found = await deletionRuns.find(command.id)
      if (found === undefined || found.owner !== caller.id || found.expiresAt <= now) return undefined
      if (found.busyUntil > now) return { run: found, isOurs: false }
      const expiresAt = Math.max(found.expiresAt, now + RUN_LIFE)
      const run = { ...begun(found, command), busyUntil: now + LEASE, expiresAt }
      if (AFTER[run.phase] === undefined) return { run: found, isOurs: false }
      if (found.phase === 'planned') await requireDiscreetReason(deletionRuns, run)
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
      for (let at = 0; at < rows.length && this.ports.clock.now() < until; at += AT_ONCE) {
        const work = rows.slice(at, at + AT_ONCE).filter(({ state }) => state === WORKED_ON[run.phase])
        if (work.length === 0) continue
        const done = await this.#do({ ...run, administrators }, work, caller)
        administrators = done.administrators
        for (const [n, after] of done.rows.entries()) {
          const before = work[n] ?? after
          counts[before.state]--
          counts[after.state]++
          rows[rows.indexOf(before)] = after
        }
      }
    } finally {
      // Also if the storage was gone for a moment: what was done by then is written down.
      const isOver = !rows.some(({ state }) => state === WORKED_ON[run.phase])
      run = nextOf({ ...run, counts, administrators, busyUntil: 0 }, isOver)
      const { next, ...whole } = run
      await this.ports.unitOfWork.run(async ({ deletionRuns }) => {
        // The run first: one that was forgotten in the middle of a step is there again, until the next look.
        await deletionRuns.put({ ...whole, next })
        await deletionRuns.putPart(run.id, isOver ? previous(run) : next, rows)
      })
    }
    return run
  }

  /** With the id of the run in every audit record, a later step knows what an earlier one has done. */
  async #do(run: DeletionRun, rows: readonly RunRow[], asking: Caller): Promise<Done> {
    const caller = { ...asking, requestId: run.id }
    if (run.phase === 'planning') return await this.#planned(run, rows, caller)
    const after = run.phase === 'restoring' ? this.#restored(rows, caller) : this.#deleted(run, rows, caller)
    return { rows: await after, administrators: run.administrators }
  }

  async #planned(
    { reason, subscriptions, administrators }: DeletionRun,
    rows: readonly RunRow[],
    caller: Caller,
  ): Promise<Done> {
    const terms = { change: 'delete', reason, subscriptions, administratorsRemovedBefore: administrators } as const
    const planned = await this.#plan.execute({ ...terms, rows: rows.map(idOf) }, caller)
    return { rows: merged(rows, planned.rows, asPlanned), administrators: planned.administratorsRemoved }
  }

  async #deleted({ reason, subscriptions }: DeletionRun, rows: readonly RunRow[], caller: Caller): Promise<RunRow[]> {
    const held = rows.map((row) => heldRow(row, subscriptions))
    try {
      const deleted = await this.#change.execute({ change: 'delete', reason, subscriptions, rows: held }, caller)
      return merged(rows, deleted, asDeleted)
    } catch (error) {
      // The reason says who one of them is by now.
      if (error instanceof InvalidInput) return rows.map((row) => asDeleted(row, refused(row, error)))
      throw error
    }
  }

  /** Only those whom this run has deleted: somebody else may have done it again since. */
  async #restored(rows: readonly RunRow[], caller: Caller): Promise<RunRow[]> {
    const ours = await Promise.all(rows.map(({ userId }) => wasOurs(this.ports, userId, caller)))
    const mine = rows.filter((_, n) => ours[n] !== false).map(idOf)
    const restored = mine.length === 0 ? [] : await this.#change.execute({ change: UNDO, rows: mine }, caller)
    const found = new Map(restored.map((row) => [row.id, row]))
    const outcomes = rows.map((row) => found.get(row.userId) ?? refused(row, new UserDeleted()))
    return merged(rows, outcomes, asRestored)
  }
}

interface Done {
  readonly rows: RunRow[]
  /** How many administrators the run takes away, up to here. */
  readonly administrators: number
}

const { undo: UNDO } = BULK_CHANGES.delete

const idOf = ({ userId }: RunRow): BulkRow => ({ id: userId })

// A subscription more or less matters only if it is erased.
const heldRow = ({ userId: id, was: state, subscriptions }: RunRow, fate: 'keep' | 'erase'): BulkRow => ({
  id,
  state,
  subscriptions: fate === 'erase' ? subscriptions : undefined,
})

const refused = ({ userId: id }: RunRow, refusal: DomainError): ChangedRow => ({ id, outcome: 'refused', refusal })

const merged = <Outcome>(
  rows: readonly RunRow[],
  outcomes: readonly Outcome[],
  after: (row: RunRow, outcome: Outcome) => RunRow,
): RunRow[] => rows.map((row, n) => after(row, outcomes[n] as Outcome))

const asPlanned = (row: RunRow, { outcome, refusal, state: was, subscriptions }: PlannedRow): RunRow =>
  outcome === 'would-change'
    ? { ...row, state: 'ready', was, subscriptions }
    : { ...row, state: 'refused', because: refusal?.name }

const asDeleted = (row: RunRow, { outcome, refusal, ours }: ChangedRow): RunRow =>
  outcome === 'changed' || ours ? { ...row, state: 'deleted' } : { ...row, state: 'failed', because: refusal?.name }

const asRestored = (row: RunRow, { outcome, refusal }: ChangedRow): RunRow =>
  outcome !== 'refused' ? { ...row, state: 'restored' } : { ...row, state: 'kept', because: refusal?.name }

const notTyped = (message: string) => new InvalidInput([{ field: 'typed', message }])

const begun = (run: DeletionRun, { begin, typed }: ContinueDeletionsCommand): DeletionRun => {
  if (begin === 'deleting' && run.phase === 'planned') {
    if (typed?.trim() !== String(run.counts.ready))
      throw notTyped(`Type the number of users that go: ${run.counts.ready}.`)
    return { ...run, phase: 'deleting', next: 0 }
  }
  return begin === 'restoring' && run.phase === 'done' ? { ...run, phase: 'restoring', next: 0 } : run
}

/** It is stored in the record of each: in those of the others, too, if it refuses one. */
const requireDiscreetReason = async (runs: DeletionRunReader, { id, reason, parts }: DeletionRun): Promise<void> => {
  for (let part = 0; reason !== undefined && part < parts; part++)
    if ((await runs.part(id, part)).some(({ because }) => because === 'InvalidInput'))
      throw notTyped('The reason names a user of the list. Make a new plan with another.')
}

const nextOf = (run: DeletionRun, isOver: boolean): DeletionRun => {
  if (!isOver) return run
  const next = run.next + 1
  return next < run.parts ? { ...run, next } : { ...run, next, phase: AFTER[run.phase] ?? run.phase }
}

const previous = ({ next }: DeletionRun): number => next - 1
