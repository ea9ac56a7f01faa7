import { randomBytes } from 'node:crypto'
import type { AuditVerification, Caller, UseCases, VerificationProgress } from '@rollcall/core'

/** Milliseconds that one request may work before it leaves the rest to the next. */
const LONGEST_STEP = 2_000
/** Milliseconds after which one that is not looked at any more is forgotten. */
const KEPT = 600_000
const AT_MOST = 4

export interface Verification extends VerificationProgress {
  readonly id: string
  /** Records that there were when it began. */
  readonly most: number
  /** Once it is over. */
  readonly result: AuditVerification | undefined
}

interface Entry {
  readonly owner: string
  readonly forget: NodeJS.Timeout
  pieces: AsyncGenerator<VerificationProgress, AuditVerification> | undefined
  isBusy: boolean
  verification: Verification
}

/**
 * Verifications of the trail, each done piece by piece by requests of their own. They are kept in the memory of this
 * process: what they compare with at the end grows with the trail, and is nothing to store.
 */
export class Verifications {
  readonly #useCases: Pick<UseCases, 'verifyAudit'>
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()

  constructor(useCases: Pick<UseCases, 'verifyAudit'>, now: () => number = Date.now) {
    this.#useCases = useCases
    this.#now = now
  }

  /** In the place of the one that this caller has under way, or else of the oldest if there are too many. */
  begin(most: number, caller: Caller): Verification {
    for (const [id, { owner, verification }] of this.#entries)
      if (owner === caller.id && verification.result === undefined) this.#forget(id)
    for (const id of [...this.#entries.keys()].slice(0, -(AT_MOST - 1))) this.#forget(id)
    const id = randomBytes(8).toString('hex')
    const verification: Verification = { id, most, records: 0, seals: 0, result: undefined }
    const pieces = this.#useCases.verifyAudit.inPieces(caller)
    const forget = setTimeout(() => this.#forget(id), KEPT).unref()
    this.#entries.set(id, { owner: caller.id, forget, pieces, isBusy: false, verification })
    return verification
  }

  /** Undefined if it is not the caller's, was forgotten, or is in another process. */
  find(id: string, caller: Caller): Verification | undefined {
    return this.#entryOf(id, caller)?.verification
  }

  /** After one step; as it is if another request works on it. */
  async goOn(id: string, caller: Caller): Promise<Verification | undefined> {
    const entry = this.#entryOf(id, caller)
    if (entry?.pieces === undefined || entry.isBusy) return entry?.verification
    const until = this.#now() + LONGEST_STEP
    entry.isBusy = true
    try {
      do {
        const { done, value } = await entry.pieces.next()
        const { records, seals } = value
        entry.verification = { ...entry.verification, records, seals, result: done ? value : undefined }
        // With it goes all that it had gathered.
        if (done) entry.pieces = undefined
      } while (entry.pieces !== undefined && this.#now() < until)
    } catch (error) {
      // It cannot go on from the middle of a piece.
      this.#forget(id)
      throw error
    } finally {
      entry.isBusy = false
    }
    return entry.verification
  }

  #entryOf(id: string, caller: Caller): Entry | undefined {
    const entry = this.#entries.get(id)
    if (entry?.owner !== caller.id) return undefined
    entry.forget.refresh()
    return entry
  }

  #forget(id: string): void {
    clearTimeout(this.#entries.get(id)?.forget)
    this.#entries.delete(id)
  }
}
