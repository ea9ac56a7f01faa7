import { UseCase } from '../use-case.ts'
import { isGenuine, readSeal, sealText } from './audit-seal.ts'
import type { AuditSeal } from './audit-store.ts'

/**
 * `kept`: the anchor has the newest seal; or there is no seal yet, or no anchor is kept. `disagrees`: the trail is not the
 * one that the anchor was made with, or the anchor holds no seal of this instance; it stays as it is, for `verify` to find.
 */
export type AnchorState = 'kept' | 'disagrees'

/** Brings the anchor up to the newest seal: to be run after sealing. Makes it if there is none. */
export class AnchorAuditUseCase extends UseCase<'auditAnchor' | 'digests', 'audit'> {
  async execute(): Promise<AnchorState> {
    const { auditAnchor, readers, digests } = this.ports
    if (auditAnchor === undefined) return 'kept'
    // Before the trail: another instance may write it at any moment, but never before the seal is in the trail.
    const text = await auditAnchor.read()
    const head = await readers.audit.head()
    if (text === undefined) {
      if (head !== undefined) await auditAnchor.write(sealText(head))
      return 'kept'
    }
    const anchor = readSeal(text)
    if (!anchor || !isGenuine(digests, anchor) || !head || !(await this.#leadsTo(anchor, head))) return 'disagrees'
    if (anchor.last < head.last) await auditAnchor.write(sealText(head))
    return 'kept'
  }

  async #leadsTo(anchor: AuditSeal, head: AuditSeal): Promise<boolean> {
    if (anchor.last > head.last || !isGenuine(this.ports.digests, head)) return false
    const [stored] = (await this.ports.readers.audit.seals({ after: anchor.last - 1, limit: 1 })).items
    return stored !== undefined && sealText(stored) === sealText(anchor)
  }
}
