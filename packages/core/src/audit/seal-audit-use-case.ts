import { UseCase } from '../use-case.ts'
import type { AuditSeal } from './audit-store.ts'

/** Seals the trail, and gives what is worth keeping elsewhere: to be run every minute, and on shutdown. */
export class SealAuditUseCase extends UseCase<'sealer', 'audit'> {
  #told = 0

  /** The newest seal; undefined if there is none that this did not give before. */
  async execute(): Promise<AuditSeal | undefined> {
    await this.ports.sealer.seal()
    const head = await this.ports.readers.audit.head()
    if (head === undefined || head.last === this.#told) return undefined
    this.#told = head.last
    return head
  }
}
