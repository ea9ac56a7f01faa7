import { giveName } from '../give-name.ts'
import { NewFile, requireAbsent } from '../new-file.ts'
import { type DeletionPlan, type PlannedUser, planLine, plannedUserLine } from './deletion-plan.ts'

/** Writes a plan to a file that is there only once the plan is whole. */
export class PlanWriter {
  readonly #plan: DeletionPlan
  readonly #path: string
  readonly #temporary: string
  readonly #file: NewFile
  #deletions = 0

  private constructor(plan: DeletionPlan, path: string, temporary: string, file: NewFile) {
    this.#plan = plan
    this.#path = path
    this.#temporary = temporary
    this.#file = file
  }

  /** @throws {CliError} the file is there already, or cannot be made */
  static async begin(path: string, plan: DeletionPlan): Promise<PlanWriter> {
    await requireAbsent(path)
    const temporary = `${path}.${plan.id}`
    const writer = new PlanWriter(plan, path, temporary, await NewFile.create(temporary, path))
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
    await this.#file.finish()
    await this.#file.told(() => giveName(this.#temporary, this.#path))
  }

  async discard(): Promise<void> {
    await this.#file.discard()
  }
}
