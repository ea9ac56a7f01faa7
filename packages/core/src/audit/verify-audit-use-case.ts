import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import type { Digests } from '../platform/digests.ts'
import { UseCase } from '../use-case.ts'
import { type AuditCheckpoint, isGenuine, readCheckpoint, SEAL_EVERY } from './audit-checkpoint.ts'
import type { AuditReader, AuditRecord } from './audit-store.ts'
import { DeletionsOnRecord } from './deletions-on-record.ts'
import { follows } from './hash-chain.ts'
import { RolesOnRecord } from './roles-on-record.ts'

export interface VerifyAuditCommand {
  /** A checkpoint that was kept elsewhere, as logged. */
  readonly against?: string | undefined
  /** Called with the number of records verified so far. */
  readonly onProgress?: ((records: number) => void) | undefined
  /** Once aborted, it stops. */
  readonly stop?: { readonly aborted: boolean } | undefined
}

/**
 * `changed`: a record is not what it was, or one before it is gone. `cut`: the end is gone. `forged`: a false seal.
 * `unsealed`: a seal that was there is gone. `tombstone`: a deletion and the tombstone of its user do not agree.
 * `roles`: a user is not as the trail says.
 * `emptied`: there is no trail, but there is what only changes on record make. `anchor`: what the anchor holds is no seal.
 */
export type AuditFault = 'anchor' | 'changed' | 'cut' | 'emptied' | 'forged' | 'roles' | 'unsealed' | 'tombstone'

export interface AuditVerification {
  readonly records: number
  readonly checkpoints: number
  /** The record of the seal that the anchor keeps outside the stores; undefined where it keeps none. */
  readonly anchor?: number | undefined
  /** The first record that fails; undefined if the trail is intact. */
  readonly broken:
    | { readonly sequence: number; readonly fault: AuditFault; readonly user?: string | undefined }
    | undefined
}

/** What a trail is compared with, besides its own seals. */
interface Surroundings {
  readonly deletions?: DeletionsOnRecord | undefined
  readonly roles?: RolesOnRecord | undefined
  /** What the anchor holds. Read before the trail, which goes on meanwhile. */
  readonly anchor?: string | undefined
  /** Whether the stores hold what only changes on record make. */
  readonly holdsChanges?: (() => Promise<boolean>) | undefined
}

const STRETCH = 1_000

/**
 * Recomputes the whole chain of a trail, wherever it is read from, and checks every checkpoint and its surroundings
 * against it.
 * @throws {InvalidInput} `against` is not a checkpoint
 */
export const verifyTrail = async (
  audit: AuditReader,
  digests: Digests,
  { against, onProgress, stop }: VerifyAuditCommand = {},
  surroundings: Surroundings = {},
): Promise<AuditVerification> => {
  const pieces = trailInPieces(audit, digests, against, surroundings)
  let [records, checkpoints] = [0, 0]
  while (!stop?.aborted) {
    const piece = await pieces.next()
    if (piece.done) return piece.value
    if (piece.value.records > records) onProgress?.(piece.value.records)
    records = piece.value.records
    checkpoints = piece.value.checkpoints
  }
  return { records, checkpoints, broken: undefined }
}

/** How far a verification has come. */
export type VerificationProgress = Pick<AuditVerification, 'records' | 'checkpoints'>

async function* trailInPieces(
  audit: AuditReader,
  digests: Digests,
  against: string | undefined,
  { deletions, roles, anchor: text, holdsChanges }: Surroundings,
): AsyncGenerator<VerificationProgress, AuditVerification> {
  const anchor = text === undefined ? undefined : readCheckpoint(text)
  const seals = new Seals(audit, digests, { given: givenCheckpoint(against), anchor, head: await audit.head() })
  let last: AuditRecord | undefined
  let records = 0
  const progress = (): VerificationProgress => ({ records, checkpoints: seals.count })
  const result = (fault?: AuditFault, sequence = 0, user?: string): AuditVerification => ({
    ...progress(),
    anchor: anchor?.sequence,
    broken: fault && { sequence, fault, ...(user === undefined ? {} : { user }) },
  })
  if (text !== undefined && anchor === undefined) return result('anchor')
  for (;;) {
    // Seals before records: the record under a seal is there no later than the seal.
    const seal = await seals.next()
    const { items } = await audit.list({ after: last?.sequence ?? 0, limit: STRETCH })
    if (items.length === 0) {
      if (seal !== undefined) return result('cut', (last?.sequence ?? 0) + 1)
      // Written with the seal itself, so a later read finds it.
      if (((await audit.head())?.sequence ?? 0) < seals.sealed) return result('unsealed', seals.sealed)
      break
    }
    for (const record of items) {
      if (!follows(digests, last, record)) return result('changed', (last?.sequence ?? 0) + 1)
      last = record
      records++
      const fault = (await seals.check(record)) ?? (isSealLost(record, seals) ? 'unsealed' : undefined)
      if (fault !== undefined) return result(fault, record.sequence)
      if ((await deletions?.agrees(record)) === false) return result('tombstone', record.sequence)
      if (roles?.agrees(record) === false) return result('roles', record.sequence, record.target)
    }
    yield progress()
  }
  if (last === undefined && (await holdsChanges?.())) return result('emptied', 1)
  const mismatch = yield* after(progress, deletions?.firstMismatch())
  if (mismatch !== undefined) return result('tombstone', mismatch)
  const other = yield* after(progress, roles?.firstMismatch())
  return other === undefined ? result() : result('roles', other.sequence, other.user)
}

/** What comes after the records, in its own pieces. */
async function* after<Found>(
  progress: () => VerificationProgress,
  pieces: AsyncGenerator<void, Found | undefined> | undefined,
): AsyncGenerator<VerificationProgress, Found | undefined> {
  for (;;) {
    const piece = await pieces?.next()
    if (piece === undefined) return undefined
    if (piece.done) return piece.value
    yield progress()
  }
}

/** Verifies the trail, for callers who may read it. */
export class VerifyAuditUseCase extends UseCase<
  'access' | 'auditAnchor' | 'digests',
  'audit' | 'tombstones' | 'users' | 'webhooks'
> {
  static readonly permission = 'audit:read'
  static readonly action = 'audit.read'

  /** @throws {InvalidInput} `against` is not a checkpoint */
  async execute(command: VerifyAuditCommand, caller: Caller): Promise<AuditVerification> {
    this.ports.access.require(caller, VerifyAuditUseCase)
    const { readers, digests } = this.ports
    return await verifyTrail(readers.audit, digests, command, await this.#surroundings())
  }

  /** The same, for a caller that cannot wait until its end: a piece is at most a few hundred milliseconds of work. */
  async *inPieces(caller: Caller): AsyncGenerator<VerificationProgress, AuditVerification> {
    this.ports.access.require(caller, VerifyAuditUseCase)
    const { readers, digests } = this.ports
    return yield* trailInPieces(readers.audit, digests, undefined, await this.#surroundings())
  }

  async #surroundings(): Promise<Surroundings> {
    const { readers, digests, auditAnchor } = this.ports
    return {
      deletions: new DeletionsOnRecord(readers),
      roles: new RolesOnRecord(readers, digests),
      anchor: await auditAnchor?.read(),
      holdsChanges: async () => {
        const first = { after: 0, limit: 1 }
        const lists = readers.users.keptByHost ? [readers.webhooks] : [readers.webhooks, readers.users]
        for (const list of lists) if ((await list.list(first)).items.length > 0) return true
        return false
      },
    }
  }
}

const isSealLost = ({ sequence }: AuditRecord, seals: Seals): boolean =>
  sequence % SEAL_EVERY === 0 && seals.sealed !== sequence

const givenCheckpoint = (text: string | undefined): AuditCheckpoint | undefined => {
  if (text === undefined) return undefined
  const checkpoint = readCheckpoint(text)
  if (checkpoint !== undefined) return checkpoint
  throw new InvalidInput([{ field: 'against', message: 'Give a checkpoint as the log of the service names it.' }])
}

/** The checkpoints in the order of their records, whichever came from elsewhere among them. */
class Seals {
  readonly #audit: AuditReader
  readonly #digests: Digests
  /** Copies of stored ones: where the trail has their record, it has the stored one as well. */
  readonly #copies: readonly AuditCheckpoint[]
  #elsewhere: readonly AuditCheckpoint[]
  #stored: readonly AuditCheckpoint[] = []
  #after: number = 0
  count = 0
  /** The last record that a stored seal was held against. */
  sealed = 0

  /** `given`, `anchor` and `head`, which the trail ends with, are not among those that it lists. */
  constructor(
    audit: AuditReader,
    digests: Digests,
    { given, anchor, head }: Readonly<Partial<Record<'given' | 'anchor' | 'head', AuditCheckpoint | undefined>>>,
  ) {
    this.#audit = audit
    this.#digests = digests
    // Not the same object as the stored one, which is held for itself.
    this.#copies = [anchor, head].filter((one) => one !== undefined).map((copy) => ({ ...copy }))
    const elsewhere = given === undefined ? this.#copies : [given, ...this.#copies]
    this.#elsewhere = elsewhere.toSorted((a, b) => a.sequence - b.sequence)
  }

  /** The next that no record was held against. */
  async next(): Promise<AuditCheckpoint | undefined> {
    if (this.#stored.length === 0) {
      this.#stored = (await this.#audit.checkpoints({ after: this.#after, limit: STRETCH })).items
      this.#after = this.#stored.at(-1)?.sequence ?? this.#after
    }
    const [[stored], [elsewhere]] = [this.#stored, this.#elsewhere]
    return elsewhere && (!stored || elsewhere.sequence <= stored.sequence) ? elsewhere : stored
  }

  /** What is wrong with the checkpoints at this record. */
  async check(record: AuditRecord): Promise<AuditFault | undefined> {
    for (let seal = await this.next(); seal && seal.sequence <= record.sequence; seal = await this.next()) {
      if (!isGenuine(this.#digests, seal)) return 'forged'
      if (seal.sequence !== record.sequence || seal.hash !== record.hash) return 'changed'
      if (!this.#copies.includes(seal)) this.count++
      if (seal === this.#elsewhere[0]) this.#elsewhere = this.#elsewhere.slice(1)
      else {
        this.#stored = this.#stored.slice(1)
        this.sealed = record.sequence
      }
    }
    const hasCopy = this.#copies.some(({ sequence }) => sequence === record.sequence)
    return hasCopy && this.sealed !== record.sequence ? 'unsealed' : undefined
  }
}
