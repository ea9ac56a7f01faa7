import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import type { Digests } from '../platform/digests.ts'
import { UseCase } from '../use-case.ts'
import { isGenuine, isOn, readSeal, sealText } from './audit-seal.ts'
import type { AuditReader, AuditRecord, AuditSeal, SealedRecord } from './audit-store.ts'
import { DeletionsOnRecord } from './deletions-on-record.ts'
import { RolesOnRecord } from './roles-on-record.ts'

export interface VerifyAuditCommand {
  /** A seal that was kept elsewhere, as logged. */
  readonly since?: string | undefined
  /** Called with the number of records verified so far. */
  readonly onProgress?: ((records: number) => void) | undefined
  /** Once aborted, it stops. */
  readonly stop?: { readonly aborted: boolean } | undefined
}

/**
 * `changed`: records are not what was sealed, or one of them is gone. `cut`: the end is gone. `forged`: a false seal.
 * `seal`: a seal that was there is gone. `tombstone`: a deletion and the tombstone of its user do not agree.
 * `roles`: a user is not as the trail says.
 * `emptied`: there is no trail, but there is what only changes on record make. `anchor`: what the anchor holds is no seal.
 */
export type AuditFault = 'anchor' | 'changed' | 'cut' | 'emptied' | 'forged' | 'roles' | 'seal' | 'tombstone'

export interface BrokenTrail {
  /** The first record that fails, or would be the first one; 0 if there is none, or it is not sealed. */
  readonly sequence: number
  readonly fault: AuditFault
  /** What was sealed together shows a change together: the last of them, if there are several. */
  readonly until?: number | undefined
  readonly user?: string | undefined
}

export interface AuditVerification {
  /** How many are sealed. */
  readonly records: number
  readonly seals: number
  /** How many are not sealed yet: the change or removal of one of these leaves no trace. */
  readonly unsealed: number
  /** The last record under the seal that the anchor keeps outside the stores; undefined if it keeps none. */
  readonly anchor?: number | undefined
  /** It was stopped before its end. */
  readonly interrupted: boolean
  /** Undefined if no fault was found; of an interrupted one, so far. */
  readonly broken: BrokenTrail | undefined
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
 * Recomputes every seal of a trail, wherever it is read from, and checks its surroundings against it.
 * @throws {InvalidInput} `since` is not a seal of this instance
 */
export const verifyTrail = async (
  audit: AuditReader,
  digests: Digests,
  { since, onProgress, stop }: VerifyAuditCommand = {},
  surroundings: Surroundings = {},
): Promise<AuditVerification> => {
  const pieces = trailInPieces(audit, digests, since, surroundings)
  let [records, seals] = [0, 0]
  while (!stop?.aborted) {
    const piece = await pieces.next()
    if (piece.done) return piece.value
    if (piece.value.records > records) onProgress?.(piece.value.records)
    records = piece.value.records
    seals = piece.value.seals
  }
  return { records, seals, unsealed: 0, interrupted: true, broken: undefined }
}

/** How far a verification has come. */
export type VerificationProgress = Pick<AuditVerification, 'records' | 'seals'>

async function* trailInPieces(
  audit: AuditReader,
  digests: Digests,
  since: string | undefined,
  { deletions, roles, anchor: text, holdsChanges }: Surroundings,
): AsyncGenerator<VerificationProgress, AuditVerification> {
  const anchor = text === undefined ? undefined : readSeal(text)
  const copies = [givenSeal(digests, since), anchor, await audit.head()].filter((seal) => seal !== undefined)
  const trail = new SealedTrail(audit, digests)
  let [records, seals, reported, unsealed] = [0, 0, 0, 0]
  const progress = (): VerificationProgress => ({ records, seals })
  const result = (broken?: BrokenTrail): AuditVerification => ({
    ...progress(),
    unsealed,
    anchor: anchor?.last,
    interrupted: false,
    broken,
  })
  /** What a record says is not so. */
  const untrue = async (record: AuditRecord): Promise<BrokenTrail | undefined> => {
    const { sequence = 0, target } = record
    if ((await deletions?.agrees(record)) === false) return { sequence, fault: 'tombstone', user: target }
    return roles?.agrees(record) === false ? { sequence, fault: 'roles', user: target } : undefined
  }
  const forged = copies.find((copy) => !isGenuine(digests, copy))
  if (forged !== undefined) return result({ sequence: forged.last, fault: 'forged' })
  for (;;) {
    const step = await trail.next()
    if ('fault' in step) return result(step)
    const broken = brokenCopy(copies, step.seal, trail.last)
    if (broken !== undefined) return result(broken)
    if (step.seal === undefined) break
    for (const record of step.records) {
      const broken = await untrue(record)
      records++
      if (broken !== undefined) return result(broken)
    }
    seals++
    if (records < reported + STRETCH) continue
    reported = records
    yield progress()
  }
  yield progress()
  // Written with the seal itself, so a later read finds it.
  if (((await audit.head())?.last ?? 0) < trail.last) return result({ sequence: trail.last, fault: 'seal' })
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Awaited<ReturnType<AuditReader['unsealed']>> = await audit.unsealed({ after, limit: STRETCH })
    unsealed += page.items.length
    for (const record of page.items) {
      const broken = await untrue(record)
      if (broken !== undefined) return result(broken)
    }
    after = page.next
    if (after !== undefined) yield progress()
  }
  if (records + unsealed === 0 && (await holdsChanges?.())) return result({ sequence: 1, fault: 'emptied' })
  const deletion = yield* after(progress, deletions?.firstMismatch())
  if (deletion !== undefined)
    return result({ sequence: deletion.sequence ?? 0, fault: 'tombstone', user: deletion.user })
  const other = yield* after(progress, roles?.firstMismatch())
  if (other !== undefined) return result({ sequence: other.sequence, fault: 'roles', user: other.user })
  return text !== undefined && anchor === undefined ? result({ sequence: 0, fault: 'anchor' }) : result()
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

  /** @throws {InvalidInput} `since` is not a seal of this instance */
  async execute(command: VerifyAuditCommand, caller: Caller): Promise<AuditVerification> {
    await this.ports.access.require(caller, VerifyAuditUseCase)
    const { readers, digests } = this.ports
    return await verifyTrail(readers.audit, digests, command, await this.#surroundings())
  }

  /** The same, for a caller that cannot wait until its end: a piece is at most a few hundred milliseconds of work. */
  async *inPieces(caller: Caller): AsyncGenerator<VerificationProgress, AuditVerification> {
    await this.ports.access.require(caller, VerifyAuditUseCase)
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

/** A copy that is not genuine says nothing about the trail, in which there is no place for it. */
const givenSeal = (digests: Digests, text: string | undefined): AuditSeal | undefined => {
  if (text === undefined) return undefined
  const seal = readSeal(text)
  if (seal === undefined) throw notASeal('Give a seal as the log of the service names it.')
  if (isGenuine(digests, seal)) return seal
  throw notASeal(
    'This is no seal of this instance: it is not copied exactly, or was made with another secret. Nothing was verified.',
  )
}

const notASeal = (message: string): InvalidInput => new InvalidInput([{ field: 'since', message }])

/**
 * What copies of seals that are kept elsewhere say against the trail.
 * @param seal the next one of the trail; undefined at its end, which is the record `last`
 */
const brokenCopy = (
  copies: readonly AuditSeal[],
  seal: AuditSeal | undefined,
  last: number,
): BrokenTrail | undefined => {
  if (seal === undefined)
    return copies.some((copy) => copy.last > last) ? { sequence: last + 1, fault: 'cut' } : undefined
  const { first: sequence, last: until } = seal
  const differs = copies.some(
    (copy) => copy.last >= sequence && copy.last <= until && sealText(copy) !== sealText(seal),
  )
  return differs ? { sequence, fault: 'changed', until } : undefined
}

interface Step {
  /** Undefined at the end of the trail. */
  readonly seal: AuditSeal | undefined
  readonly records: readonly SealedRecord[]
}

/** The seals in their order, each held against its records. */
class SealedTrail {
  readonly #audit: AuditReader
  readonly #digests: Digests
  #seals: readonly AuditSeal[] = []
  #records: readonly SealedRecord[] = []
  #before: AuditSeal | undefined

  constructor(audit: AuditReader, digests: Digests) {
    this.#audit = audit
    this.#digests = digests
  }

  /** The last record that was found to be under a seal. */
  get last(): number {
    return this.#before?.last ?? 0
  }

  async next(): Promise<Step | BrokenTrail> {
    const seal = await this.#nextSeal()
    if (seal === undefined) return await this.#atEnd()
    if (!isGenuine(this.#digests, seal)) return { sequence: seal.last, fault: 'forged' }
    // One before it is gone, and with it what it was made for has none.
    if (seal.first !== this.last + 1) return { sequence: this.last + 1, fault: 'seal', until: seal.first - 1 }
    const records = await this.#recordsUnder(seal)
    const missing = records.findIndex(({ sequence }, n) => sequence !== seal.first + n)
    if (missing >= 0) return { sequence: seal.first + missing, fault: 'changed' }
    if (records.length < seal.last - seal.first + 1) return await this.#tooFew(seal.first + records.length)
    if (!isOn(this.#digests, seal, this.#before, records))
      return { sequence: seal.first, fault: 'changed', until: seal.last }
    this.#before = seal
    return { seal, records }
  }

  async #nextSeal(): Promise<AuditSeal | undefined> {
    if (this.#seals.length === 0) this.#seals = (await this.#audit.seals({ after: this.last, limit: STRETCH })).items
    const [seal, ...others] = this.#seals
    this.#seals = others
    return seal
  }

  async #recordsUnder({ last }: AuditSeal): Promise<readonly SealedRecord[]> {
    const known = () => this.#records.at(-1)?.sequence ?? this.last
    while (known() < last) {
      const { items } = await this.#audit.list({ after: known(), limit: STRETCH })
      if (items.length === 0) break
      this.#records = [...this.#records, ...items]
    }
    const records = this.#records.filter(({ sequence }) => sequence <= last)
    this.#records = this.#records.slice(records.length)
    return records
  }

  async #tooFew(sequence: number): Promise<BrokenTrail> {
    const { items } = await this.#audit.list({ after: sequence, limit: 1 })
    return { sequence, fault: items.length > 0 ? 'changed' : 'cut' }
  }

  /** A number is given together with its seal, so what is read after it is found finds that, too. */
  async #atEnd(): Promise<Step | BrokenTrail> {
    const { items } = await this.#audit.list({ after: this.last, limit: 1 })
    if (items.length === 0) return { seal: undefined, records: [] }
    this.#seals = (await this.#audit.seals({ after: this.last, limit: STRETCH })).items
    return this.#seals.length > 0 ? await this.next() : { sequence: this.last + 1, fault: 'seal' }
  }
}
