import type { Clock } from '../ports/clock.ts'
import type { Digests } from '../ports/digests.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import { type AuditCheckpoint, checkpointOf } from './audit-checkpoint.ts'

/** Seals the trail up to its newest record: to be done every minute, and at the end. */
export class SealAuditUseCase {
  readonly #clock: Clock
  readonly #digests: Digests
  readonly #unitOfWork: UnitOfWork

  constructor(ports: { clock: Clock; digests: Digests; unitOfWork: UnitOfWork }) {
    this.#clock = ports.clock
    this.#digests = ports.digests
    this.#unitOfWork = ports.unitOfWork
  }

  /** The new checkpoint; undefined where nothing came since the last one. */
  async execute(): Promise<AuditCheckpoint | undefined> {
    return await this.#unitOfWork.run(async ({ audit }) => {
      const last = await audit.last()
      const sealed = await audit.lastCheckpoint()
      if (last === undefined || last.sequence === sealed?.sequence) return undefined
      const checkpoint = checkpointOf(this.#digests, last, this.#clock.now())
      await audit.addCheckpoint(checkpoint)
      return checkpoint
    })
  }
}
