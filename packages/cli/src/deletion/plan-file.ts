import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { CliError, interrupted, usageError } from '../cli-error.ts'
import { whyUnreadable } from '../input-file.ts'
import { NewFile, requireAbsent } from '../new-file.ts'
import {
  type DeletionPlan,
  type PlannedUser,
  parsePlan,
  parsePlannedUser,
  planLine,
  plannedUserLine,
} from './deletion-plan.ts'
import { textLines } from './id-list.ts'
import type { IdSource } from './id-source.ts'
import { SeenIds } from './seen-ids.ts'

/** Writes a plan to a file that appears once the plan is complete. */
export class PlanWriter {
  readonly #plan: DeletionPlan
  readonly #path: string
  readonly #file: NewFile
  #deletions = 0

  private constructor(plan: DeletionPlan, path: string, file: NewFile) {
    this.#plan = plan
    this.#path = path
    this.#file = file
  }

  /** @throws {CliError} the file is there already, or cannot be made */
  static async begin(path: string, plan: DeletionPlan): Promise<PlanWriter> {
    await requireAbsent(path)
    const writer = new PlanWriter(plan, path, await NewFile.create(`${path}.${plan.id}`, path))
    await writer.#file.write(planLine(plan))
    return writer
  }

  /** How many users the plan would delete. */
  get deletions(): number {
    return this.#deletions
  }

  async add(planned: PlannedUser): Promise<void> {
    if (planned.refusal === undefined) this.#deletions++
    await this.#file.write(plannedUserLine(this.#plan, planned))
  }

  async finish(): Promise<void> {
    await this.#file.finishAs(this.#path)
  }

  async discard(): Promise<void> {
    await this.#file.discard()
  }
}

export interface OpenPlan {
  readonly plan: DeletionPlan
  readonly source: IdSource
}

/**
 * Opens a plan, as `--plan` wrote it, or with lines removed by hand.
 * @throws {CliError} it is not a plan, or cannot be read
 */
export const openPlan = async (path: string, signal: AbortSignal): Promise<OpenPlan> => {
  await requireFile(path)
  const lines = () => textLines(addAbortSignal(signal, createReadStream(path)))
  const plan = await firstLine(path, lines())
  return {
    plan,
    source: {
      rereadable: true,
      rows: async function* () {
        const seen = new SeenIds()
        for await (const planned of plannedUsers(plan, path, lines()))
          yield { id: planned.id, repeated: !seen.add(planned.id), planned }
      },
    },
  }
}

const requireFile = async (path: string): Promise<void> => {
  const found = await stat(path).catch((error: unknown) => {
    throw unusable(path, error)
  })
  // It is read twice, so that a plan that turns out to be broken deletes no user.
  if (!found.isFile()) throw unusable(path, new SyntaxError('It is not a regular file.'))
}

const firstLine = async (path: string, lines: AsyncIterable<string>): Promise<DeletionPlan> => {
  try {
    for await (const line of lines) return parsePlan(line)
    throw new SyntaxError('It is empty.')
  } catch (error) {
    throw unusable(path, error)
  }
}

async function* plannedUsers(
  plan: DeletionPlan,
  path: string,
  lines: AsyncIterable<string>,
): AsyncGenerator<PlannedUser> {
  let number = 0
  try {
    for await (const line of lines) {
      number++
      if (number > 1 && line.trim() !== '') yield parsePlannedUser(plan, line)
    }
  } catch (error) {
    throw unusable(path, error, error instanceof RangeError ? number + 1 : number)
  }
}

const unusable = (path: string, error: unknown, line = 1): unknown => {
  if (error instanceof CliError) return error
  if (error instanceof Error && error.name === 'AbortError') return interrupted('Interrupted.')
  const broken = error instanceof SyntaxError || error instanceof RangeError
  const where = line > 1 ? `Line ${line}: ` : ''
  const why = broken ? `${where}${error.message} Make a new one with --plan.` : whyUnreadable(error)
  return why === undefined ? error : usageError(`Cannot use the plan '${path}'. ${why}`, { cause: error })
}
