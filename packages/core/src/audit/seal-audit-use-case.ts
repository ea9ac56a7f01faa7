import { UseCase } from '../use-case.ts'
import { type AuditCheckpoint, checkpointOf } from './audit-checkpoint.ts'

/** Seals the trail up to its newest record: to be run every minute, and on shutdown. */
export class SealAuditUseCase extends UseCase<'clock' | 'digests' | 'trail' | 'unitOfWork'> {
  /** Whether this process has written what no seal covers yet. */
  get isDue(): boolean {
    return this.ports.trail.hasNews
  }

  /** The new checkpoint; undefined where nothing came since the last one. */
  async execute(): Promise<AuditCheckpoint | undefined> {
    this.ports.trail.noteSealing()
    return await this.ports.unitOfWork.run(async ({ audit }) => {
      const last = await audit.last()
      const sealed = await audit.lastCheckpoint()
      if (last === undefined || last.sequence === sealed?.sequence) return undefined
      const checkpoint = checkpointOf(this.ports.digests, last, this.ports.clock.now())
      await audit.addCheckpoint(checkpoint)
      return checkpoint
    })
  }
}
