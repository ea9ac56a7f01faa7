import type { Caller } from '../access/caller.ts'
import { partsFor, type RunPart } from '../access/run-for.ts'
import { InvalidInput } from '../errors.ts'
import { afterBounce, confirmedSince, putDeliverability } from '../feedback/deliverability.ts'
import type { Instant } from '../instant.ts'
import type { Readers } from '../readers.ts'
import { addressHash } from '../subscriptions/email-address.ts'
import { blockMailbox } from '../suppressions/block.ts'
import { findSuppression, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { BlockCause } from '../suppressions/suppression-store.ts'
import { SUPPRESSION_COLUMNS } from '../transfer/column-guards.ts'
import { type EndOfImport, endOfImport, type RefusedRow } from '../transfer/import-report.ts'
import { importInUnits, isRefused, type Rows, readRow, type UnitReport } from '../transfer/import-units.ts'
import { readRecords } from '../transfer/record-files.ts'
import { type FieldNames, parseRecordFormat } from '../transfer/record-formats.ts'
import { type UnreadField, UnreadValues } from '../transfer/unread-values.ts'
import { UnusedColumns } from '../transfer/unused-columns.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { type CauseMeanings, CauseReading } from './suppression-cause.ts'
import { SUPPRESSION_FIELDS, type SuppressionRow, suppressionRow } from './suppression-row.ts'

/** How far an import of suppressions has come. */
export interface SuppressionCounts {
  /** As many as were read. */
  readonly rows: number
  readonly imported: number
  /** Were known already; or bounced before their readers confirmed. */
  readonly unchanged: number
  readonly refused: number
  /** Of the imported ones: no mail may go to them any more. */
  readonly blocked: number
  /** Of the imported ones: mails to them come back. */
  readonly undeliverable: number
}

/** The last line of a report. */
export interface SuppressionSummary extends SuppressionCounts, EndOfImport {
  /** Times that could not be read, and were left out; missing if there were none. */
  readonly unread?: readonly UnreadField[]
}

export type SuppressionReportLine = RefusedRow | SuppressionSummary

export interface ImportSuppressionsCommand {
  readonly format?: string | undefined
  readonly body: AsyncIterable<Uint8Array>
  /** The names of fields in the file, if they differ. */
  readonly names?: FieldNames | undefined
  /** What the words mean that the file has for a cause; under '' the cause of rows that say none. */
  readonly causes?: CauseMeanings | undefined
  /** Report what would happen to the rows, and change nothing. */
  readonly dryRun?: boolean | undefined
}

type ReadRow = SuppressionRow | RefusedRow

/** What becomes of a row: its effect, which is still to be carried out. */
type Verdict =
  | 'refused'
  | 'unchanged'
  | { readonly imported: 'blocked' | 'undeliverable'; carryOut(stores: Stores): Promise<void> }

type Known = Pick<Readers, 'suppressions' | 'deliverability' | 'subscriptions'>

/** Rows of one unit of work. Each of them may append events to several subscriptions. */
const MOST_OF_UNIT = 50
/** Milliseconds. While units run one after another, another writer waits at most so long, and for the commit. */
const TIME_FOR_ROWS = 12

/** Takes over the list of addresses that another service for mails has suppressed. It only adds. */
export class ImportSuppressionsUseCase extends UseCase<
  'access' | 'unitOfWork' | 'requests' | 'clock' | 'digests' | 'domainNames' | 'trail',
  'suppressions' | 'deliverability' | 'subscriptions'
> {
  static readonly permission = 'suppressions:import'
  static readonly action = 'suppression.import'

  /**
   * Resolves when the head of the file has been read, with the report: a line for each row that is refused, and the
   * summary. What a line says, and all before it, is on durable storage by then; as long as the next line is not taken,
   * nothing is read. Running the same file again changes nothing.
   * @throws {InvalidInput} the format is unknown, or the columns are not those that are needed
   * @throws {MalformedRequest} the file is not UTF-8
   */
  async execute(command: ImportSuppressionsCommand, caller: Caller): Promise<AsyncIterable<SuppressionReportLine>> {
    await this.ports.access.require(caller, ImportSuppressionsUseCase)
    const { body, names = {} } = command
    const [format, causes] = [parseRecordFormat(command.format), new CauseReading(command.causes)]
    requireKnown(names)
    const required = causes.hasDefault ? ['email'] : ['email', 'cause']
    // Where a row need not say its cause, any other column may.
    const decides = () => causes.hasDefault
    const reading = { format, body, fields: SUPPRESSION_FIELDS, required, names, decides }
    const rows = await readRecords(reading)
    return this.#report(rows, command, causes, caller)
  }

  async *#report(
    rows: Rows,
    { dryRun = false }: ImportSuppressionsCommand,
    causes: CauseReading,
    caller: Caller,
  ): AsyncGenerator<SuppressionReportLine> {
    const counts = { rows: 0, imported: 0, unchanged: 0, refused: 0, blocked: 0, undeliverable: 0 }
    const runPart = partsFor(this.ports, ImportSuppressionsUseCase, caller)
    const carryOut = async (inHand: readonly ReadRow[]): Promise<UnitReport<RefusedRow>> => {
      const unit = inHand.slice(0, MOST_OF_UNIT)
      const verdicts = dryRun ? await this.#rehearse(unit) : await this.#store(unit, caller, runPart)
      for (const verdict of verdicts) count(counts, verdict)
      return { rows: verdicts.length, refusals: unit.slice(0, verdicts.length).filter(isRefused) }
    }
    const unused = new UnusedColumns(SUPPRESSION_COLUMNS)
    const unread = new UnreadValues()
    const read = readRow(unused, (file) => {
      const row = suppressionRow(file, { ...this.ports, causes })
      unread.note(row.unread)
      return row
    })
    yield* importInUnits(rows, read, carryOut)
    yield { ...counts, ...endOfImport(dryRun, unused), ...unread.ofReport }
  }

  async #rehearse(rows: readonly ReadRow[]): Promise<readonly Verdict[]> {
    const verdicts: Verdict[] = []
    for (const row of rows) verdicts.push(await this.#judge(this.ports.readers, row))
    return verdicts
  }

  /** The verdicts on as many of the rows as a unit has time for, at least one; and one audit record if any was new. */
  #store(rows: readonly ReadRow[], caller: Caller, runPart: RunPart): Promise<readonly Verdict[]> {
    const { clock, unitOfWork, requests, trail } = this.ports
    return runPart(async (stores) => {
      const begun = clock.now()
      const verdicts: Verdict[] = []
      let imported = 0
      await requests.first(
        stores,
        rows.flatMap((row) => (isRefused(row) ? [] : addressHash(this.ports.digests, row.addressKey))),
      )
      for (const row of rows) {
        if (verdicts.length > 0 && !unitOfWork.sideBySide && clock.now() - begun >= TIME_FOR_ROWS) break
        const verdict = await this.#judge(stores, row)
        verdicts.push(verdict)
        if (typeof verdict === 'string') continue
        await verdict.carryOut(stores)
        imported++
      }
      if (imported > 0)
        await trail.done(stores.audit, caller, { action: ImportSuppressionsUseCase.action }, `rows ${imported}`)
      return verdicts
    })
  }

  async #judge(known: Known, row: ReadRow): Promise<Verdict> {
    if (isRefused(row)) return 'refused'
    const { addressKey, meaning, at } = row
    return meaning === 'undeliverable'
      ? await this.#judgeBounce(known, addressKey, at)
      : await this.#judgeBlock(known, addressKey, meaning, at)
  }

  /** A complaint takes the place of a block, and nothing takes the place of a complaint. */
  async #judgeBlock({ suppressions }: Known, addressKey: string, cause: BlockCause, since: Instant): Promise<Verdict> {
    const before = (await findSuppression(suppressions, mailboxHashes(this.ports.digests, addressKey)))?.block
    if (before?.cause === 'complaint' || before?.cause === cause) return 'unchanged'
    return {
      imported: 'blocked',
      carryOut: (stores) => blockMailbox(stores, this.ports, addressKey, { cause, since }),
    }
  }

  async #judgeBounce(known: Known, addressKey: string, at: Instant): Promise<Verdict> {
    const address = addressHash(this.ports.digests, addressKey)
    const now = this.ports.clock.now()
    const bounce = { meaning: 'permanent', status: undefined, at } as const
    const after = afterBounce(await known.deliverability.find(address), bounce, now)
    if (after === undefined || (await confirmedSince(known, address, at)).size > 0) return 'unchanged'
    return {
      imported: 'undeliverable',
      carryOut: (stores) =>
        putDeliverability(stores, { address, subscription: undefined }, after, now, 'imported:undeliverable'),
    }
  }
}

/** @throws {InvalidInput} a field has a name that there is not */
const requireKnown = (names: FieldNames): void => {
  if (Object.keys(names).every((name) => SUPPRESSION_FIELDS.some((one) => one === name))) return
  throw new InvalidInput([{ field: 'map', message: `Name only these fields: ${SUPPRESSION_FIELDS.join(', ')}.` }])
}

const count = (counts: { -readonly [Name in keyof SuppressionCounts]: number }, verdict: Verdict): void => {
  counts.rows++
  if (typeof verdict === 'string') counts[verdict]++
  else {
    counts.imported++
    counts[verdict.imported]++
  }
}
