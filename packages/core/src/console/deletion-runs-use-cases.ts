import type { Caller } from '../access/caller.ts'
import { parseReason } from '../audit/reason.ts'
import { InvalidInput } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import { asUserId, type User } from '../users/user.ts'
import {
  type DeletionRun,
  ROWS_PER_PART,
  type RowState,
  RUN_LIFE,
  type RunCounts,
  type RunRow,
} from './deletion-run.ts'

export interface PlanDeletionsCommand {
  /** As the lines of the list have them. */
  readonly rows: readonly { readonly line: number; readonly userId: string }[]
  readonly reason?: string | undefined
  readonly subscriptions?: 'keep' | 'erase' | undefined
}

/** In one run: a list that is longer is for the command line. */
export const MOST_ROWS = 10_000

const NO_COUNTS: RunCounts = { listed: 0, ready: 0, refused: 0, deleted: 0, failed: 0, restored: 0, kept: 0 }

/** Takes a list of ids; nothing is looked up yet. */
export class PlanDeletionsUseCase extends UseCase<'access' | 'clock' | 'randomness' | 'unitOfWork'> {
  static readonly permission = 'users:delete'
  static readonly action = 'user.delete'

  /** @throws {InvalidInput} there are no rows, or too many, or the reason is too long */
  async execute(command: PlanDeletionsCommand, caller: Caller): Promise<DeletionRun> {
    const { access, clock, randomness, unitOfWork } = this.ports
    await access.require(caller, PlanDeletionsUseCase)
    const reason = parseReason(command.reason || undefined, { whose: "a user's", name: '', addresses: [] })
    const rows = rowsOf(command.rows)
    if (rows.length === 0) throw new InvalidInput([{ field: 'ids', message: 'Give at least one id.' }])
    if (rows.length > MOST_ROWS)
      throw new InvalidInput([
        { field: 'ids', message: `Give at most ${MOST_ROWS} ids at once, or use \`rollcall user delete --from\`.` },
      ])
    const now = clock.now()
    const refused = rows.filter(({ state }) => state === 'refused').length
    const run: DeletionRun = {
      id: randomness.hex(12),
      owner: caller.id,
      phase: 'planning',
      next: 0,
      parts: Math.ceil(rows.length / ROWS_PER_PART),
      rows: rows.length,
      reason,
      subscriptions: command.subscriptions ?? 'keep',
      administrators: 0,
      counts: { ...NO_COUNTS, refused, listed: rows.length - refused },
      createdAt: now,
      expiresAt: now + RUN_LIFE,
      busyUntil: 0,
    }
    await unitOfWork.run(async ({ deletionRuns }) => {
      await deletionRuns.put(run)
      for (let part = 0; part < run.parts; part++)
        await deletionRuns.putPart(run.id, part, rows.slice(part * ROWS_PER_PART, (part + 1) * ROWS_PER_PART))
    })
    return run
  }
}

/** What can be no id is not kept, because it may be an address. */
const rowsOf = (given: PlanDeletionsCommand['rows']): RunRow[] => {
  const seen = new Set<string>()
  return given.map(({ line, userId }) => {
    const id = userId.includes('@') ? undefined : asUserId(userId)
    if (id === undefined) return { line, userId: '', state: 'refused', because: 'NotAnId' }
    if (seen.has(id)) return { line, userId: id, state: 'refused', because: 'ListedBefore' }
    seen.add(id)
    return { line, userId: id, state: 'listed' }
  })
}

export interface ShownRow extends RunRow {
  /** While it is stored. */
  readonly user: User | undefined
}

export interface ShownRun {
  readonly run: DeletionRun
  readonly rows: readonly ShownRow[]
  /** Where the rows go on. */
  readonly next: number | undefined
}

const ROWS_SHOWN = 100

export class ShowDeletionRunUseCase extends UseCase<'access' | 'clock', 'deletionRuns' | 'users'> {
  static readonly permission = 'users:delete'
  static readonly action = 'user.read'

  /** A run with some of its rows; undefined if the caller has none of this id, or no more. */
  async execute(
    {
      id,
      state,
      after = 0,
    }: { readonly id: string; readonly state?: RowState | undefined; readonly after?: number | undefined },
    caller: Caller,
  ): Promise<ShownRun | undefined> {
    const { access, clock, readers } = this.ports
    await access.require(caller, ShowDeletionRunUseCase)
    const run = await readers.deletionRuns.find(id)
    if (run === undefined || run.owner !== caller.id || run.expiresAt <= clock.now()) return undefined
    const shown: RunRow[] = []
    let next: number | undefined
    let place = after
    for (let part = Math.floor(after / ROWS_PER_PART); part < run.parts && next === undefined; part++) {
      const rows = await readers.deletionRuns.part(id, part)
      for (const row of rows.slice(place - part * ROWS_PER_PART)) {
        if (state === undefined || row.state === state) {
          if (shown.length === ROWS_SHOWN) {
            next = place
            break
          }
          shown.push(row)
        }
        place++
      }
    }
    const rows = await Promise.all(shown.map(async (row) => ({ ...row, user: await this.#userOf(row) })))
    return { run, rows, next }
  }

  async #userOf({ userId }: RunRow): Promise<User | undefined> {
    const id = asUserId(userId)
    return id && (await this.ports.readers.users.find(id))
  }
}

const MOST_RUNS = 20

/** The runs of the caller, so that a browser that was closed finds them again. */
export class ListDeletionRunsUseCase extends UseCase<'access' | 'clock', 'deletionRuns'> {
  static readonly permission = 'users:delete'
  static readonly action = 'user.read'

  async execute(_: object, caller: Caller): Promise<readonly DeletionRun[]> {
    const { access, clock, readers } = this.ports
    await access.require(caller, ListDeletionRunsUseCase)
    const runs = await readers.deletionRuns.listOf(caller.id, MOST_RUNS)
    return runs.filter(({ expiresAt }) => expiresAt > clock.now())
  }
}
