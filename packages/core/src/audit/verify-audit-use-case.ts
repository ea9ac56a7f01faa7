import type { AuditAction } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import type { Digests } from '../platform/digests.ts'
import type { Readers } from '../readers.ts'
import { UseCase } from '../use-case.ts'
import { asUserId, type UserId } from '../users/user.ts'
import type { OwnedTombstone } from '../users/user-store.ts'
import { type AuditCheckpoint, isGenuine, readCheckpoint, SEAL_EVERY } from './audit-checkpoint.ts'
import { type AuditReader, type AuditRecord, DONE } from './audit-store.ts'
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
  { deletions, roles, anchor: text, holdsChanges }: Surroundings = {},
): Promise<AuditVerification> => {
  const anchor = text === undefined ? undefined : readCheckpoint(text)
  const seals = new Seals(audit, digests, { given: givenCheckpoint(against), anchor, head: await audit.head() })
  let last: AuditRecord | undefined
  let records = 0
  const result = (fault?: AuditFault, sequence = 0, user?: string): AuditVerification => ({
    records,
    checkpoints: seals.count,
    anchor: anchor?.sequence,
    broken: fault && { sequence, fault, ...(user === undefined ? {} : { user }) },
  })
  if (text !== undefined && anchor === undefined) return result('anchor')
  while (!stop?.aborted) {
    // Seals before records: the record under a seal is there no later than the seal.
    const seal = await seals.next()
    const { items } = await audit.list({ after: last?.sequence ?? 0, limit: STRETCH })
    if (items.length === 0) {
      if (seal !== undefined) return result('cut', (last?.sequence ?? 0) + 1)
      // Written with the seal itself, so a later read finds it.
      if (((await audit.head())?.sequence ?? 0) < seals.sealed) return result('unsealed', seals.sealed)
      if (last === undefined && (await holdsChanges?.())) return result('emptied', 1)
      const mismatch = await deletions?.firstMismatch(stop)
      if (mismatch !== undefined) return result('tombstone', mismatch)
      const other = await roles?.firstMismatch(stop)
      return other === undefined ? result() : result('roles', other.sequence, other.user)
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
    onProgress?.(records)
  }
  return result()
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
    const { readers, digests, auditAnchor } = this.ports
    return await verifyTrail(readers.audit, digests, command, {
      deletions: new DeletionsOnRecord(readers),
      roles: new RolesOnRecord(readers, digests),
      anchor: await auditAnchor?.read(),
      holdsChanges: async () => {
        const first = { after: 0, limit: 1 }
        const lists = readers.users.keptByHost ? [readers.webhooks] : [readers.webhooks, readers.users]
        for (const list of lists) if ((await list.list(first)).items.length > 0) return true
        return false
      },
    })
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

/** The two places that record a deletion: the trail, and the tombstones. */
type DeletionReaders = Pick<Readers, 'audit' | 'tombstones'>

const isDone = ({ action, outcome }: AuditRecord, wanted: AuditAction): boolean => action === wanted && outcome === DONE

/**
 * Compares recorded deletions with the tombstones of their users, in both directions: neither exists without
 * the other, unless the user was restored, and both are of the same moment. How much was erased is only in the tombstone.
 */
class DeletionsOnRecord {
  readonly #readers: DeletionReaders
  /** Users without a tombstone, by the record of their deletion, until their restoration is found on record. */
  readonly #unrestored = new Map<UserId, number>()

  constructor(readers: DeletionReaders) {
    this.#readers = readers
  }

  /** To be called with every record of the trail in turn; returns whether what it says of a user is true. */
  async agrees(record: AuditRecord): Promise<boolean> {
    const id = record.target === undefined ? undefined : asUserId(record.target)
    if (id === undefined) return true
    if (isDone(record, 'user.restore')) this.#unrestored.delete(id)
    return !isDone(record, 'user.delete') || (await this.#agreesWithTombstone(id, record.sequence))
  }

  /** The record of the first deletion that is not as tombstones say; to be asked at the end of the trail. */
  async firstMismatch(stop?: { readonly aborted: boolean } | undefined): Promise<number | undefined> {
    const [unrestored] = this.#unrestored.values()
    if (unrestored !== undefined) return unrestored
    let after: UserId | undefined
    while (!stop?.aborted) {
      const items = await this.#readers.tombstones.list({ after, limit: STRETCH })
      if (items.length === 0) return undefined
      for (const owned of items) if (!(await this.#isOnRecord(owned))) return owned.tombstone.audit
      after = items.at(-1)?.id
    }
    return undefined
  }

  /** A later deletion of the same user, after a restoration, has replaced the tombstone: it is looked at in its turn. */
  async #agreesWithTombstone(id: UserId, sequence: number): Promise<boolean> {
    const tombstone = await this.#readers.tombstones.find(id)
    if (tombstone !== undefined) return tombstone.audit >= sequence
    this.#unrestored.set(id, sequence)
    return true
  }

  /** What was deleted after a backup was made goes with the restoration of the backup, where its own record is lost. */
  async #isOnRecord({ id, tombstone }: OwnedTombstone): Promise<boolean> {
    const [record] = (await this.#readers.audit.list({ after: tombstone.audit - 1, limit: 1 })).items
    if (record?.sequence !== tombstone.audit) return false
    const isDeletion = isDone(record, 'user.delete') && record.target === id && record.at === tombstone.deletedAt
    return isDeletion || isDone(record, 'database.restore')
  }
}
