import type { Caller } from '../access/caller.ts'
import { partsFor } from '../access/run-for.ts'
import { InvalidInput } from '../errors.ts'
import { rememberedFeeds } from '../feeds/feed.ts'
import { FIELD_PREFIX, submittedName } from '../feeds/feed-fields.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import { parseOneOf } from '../text.ts'
import { UseCase } from '../use-case.ts'
import { SUBSCRIPTION_COLUMNS } from './column-guards.ts'
import { fieldNames } from './field-names.ts'
import { endOfImport, type ImportReportLine, ImportTally } from './import-report.ts'
import { IMPORT_FIELDS, type ImportField, importRow } from './import-row.ts'
import { importInUnits, isRefused, type Rows, readRow } from './import-units.ts'
import { UPDATABLE, type Updatable } from './import-verdict.ts'
import { readRecords } from './record-files.ts'
import { type FieldNames, parseRecordFormat } from './record-formats.ts'
import { type StatusMeanings, StatusReading } from './status-reading.ts'
import { type ReadRow, rehearseRows, storeRows, type UnitOutcome } from './subscription-import-unit.ts'
import { UnreadValues } from './unread-values.ts'
import { UnusedColumns } from './unused-columns.ts'

export interface ImportSubscriptionsCommand {
  readonly format?: string | undefined
  readonly body: AsyncIterable<Uint8Array>
  /** The names of fields in the file, if they differ. */
  readonly names?: FieldNames | undefined
  /** What the words mean that the file has for a status. */
  readonly statuses?: StatusMeanings | undefined
  /** Columns that decide nothing, or are not to. */
  readonly ignored?: readonly string[] | undefined
  /** What those that are there already may get from the file: `name`, `fields`. Nothing by default, and never a status. */
  readonly update?: readonly string[] | undefined
  /** `send` asks those that are new and pending to confirm; otherwise no mail is sent. */
  readonly mail?: string | undefined
  /** Report what would happen to the rows, and change nothing. */
  readonly dryRun?: boolean | undefined
}

type Order = ReturnType<typeof orderOf>

type Ports =
  | 'access'
  | 'unitOfWork'
  | 'requests'
  | 'clock'
  | 'randomness'
  | 'transport'
  | 'digests'
  | 'domainNames'
  | 'trail'
  | 'linkLife'

type Reading = 'feeds' | 'moves' | 'subscriptions' | 'suppressions'

export class ImportSubscriptionsUseCase extends UseCase<Ports, Reading> {
  static readonly permission = 'subscriptions:import'
  static readonly action = 'subscription.import'

  /**
   * Resolves when the head of the file has been read, with the report: a line for each row that is refused, in the order
   * of the file, and the summary. What a line says, and all before it, is on durable storage by then; as long as
   * the next line is not taken, nothing is read. Running the same file again changes nothing that it did before.
   * The report throws before anything is stored if the first row has a column that speaks of leaving, is not used and
   * is not ignored by name; later, such rows are refused.
   * @throws {InvalidInput} the format, a field's name or `mail` is unknown, or the columns are not those that are needed
   * @throws {MalformedRequest} the file is not UTF-8
   */
  async execute(command: ImportSubscriptionsCommand, caller: Caller): Promise<AsyncIterable<ImportReportLine>> {
    await this.ports.access.require(caller, ImportSubscriptionsUseCase)
    const order = orderOf(command)
    const { format, names, unused } = order
    const columns = (await fieldNames(this.ports.readers.feeds)).map(submittedName)
    const undeclared = Object.keys(names).find((name) => name.startsWith(FIELD_PREFIX) && !columns.includes(name))
    if (undeclared !== undefined)
      throw new InvalidInput([
        { field: 'map', message: `No feed declares a field for '${undeclared}'. Check its name.` },
      ])
    const known = [...IMPORT_FIELDS, ...(format === 'ndjson' ? ['fields'] : []), ...columns]
    const fields = known.filter((field) => !unused.ignores(names[field] ?? field))
    const decides = (name: string) => unused.decides(name)
    const reading = { format, body: command.body, fields, required: ['email'], names, decides, address: 'email' }
    const rows = await readRecords(reading)
    return this.#report(rows, command, order, caller)
  }

  async *#report(
    rows: Rows,
    { dryRun = false }: ImportSubscriptionsCommand,
    { mail, update, statuses, unused }: Order,
    caller: Caller,
  ): AsyncGenerator<ImportReportLine> {
    const tally = new ImportTally()
    const rehearse = this.#rehearsal(update)
    const runPart = partsFor(this.ports, ImportSubscriptionsUseCase, caller)
    const store = (some: readonly ReadRow[]) =>
      runPart((stores) => storeRows(this.ports, stores, some, { mail, update, caller }))
    const carryOut = async (inHand: readonly ReadRow[]) => {
      const unit = dryRun || inHand.every(isRefused) ? rehearse : store
      const outcome = await unit(inHand)
      tally.add(outcome.tally)
      return { rows: outcome.tally.counts.rows, refusals: outcome.refusals }
    }
    const unread = new UnreadValues()
    const read = readRow(unused, (file) => {
      const row = importRow(file, { ...this.ports, statuses })
      // Who comes in as one who left gets no mail, whatever the rest of the row says.
      if (row.status !== 'ended') unused.requireHarmless(file.others)
      unread.note(row.unread)
      return row
    })
    yield* importInUnits(rows, read, carryOut)
    const { updated } = tally
    yield {
      ...tally.counts,
      ...(update.length > 0 && { updated }),
      ...endOfImport(dryRun, unused),
      ...unread.ofReport,
    }
  }

  #rehearsal(update: readonly Updatable[]): (rows: readonly ReadRow[]) => Promise<UnitOutcome> {
    const { feeds, ...readers } = this.ports.readers
    const ledgers = {
      list: async (id: SubscriptionId) => (await readers.subscriptions.findEvidence(id))?.consents ?? [],
    }
    const lookups = { ...readers, feed: rememberedFeeds(feeds), ledgers, update }
    return (rows) => rehearseRows(this.ports, rows, lookups)
  }
}

const orderOf = ({ format, names = {}, statuses, ignored, update = [], mail }: ImportSubscriptionsCommand) => {
  const isKnown = (name: string) => IMPORT_FIELDS.includes(name as ImportField) || name.startsWith(FIELD_PREFIX)
  const unknown = Object.keys(names).find((name) => !isKnown(name))
  if (unknown !== undefined)
    throw new InvalidInput([
      { field: 'map', message: `Name only these fields: ${IMPORT_FIELDS.join(', ')}, ${submittedName('<name>')}.` },
    ])
  if (mail !== undefined && mail !== 'send')
    throw new InvalidInput([{ field: 'mail', message: "Say 'send', or leave it out: then no mail is sent." }])
  return {
    format: parseRecordFormat(format),
    names,
    mail: mail === 'send',
    update: [...new Set(update.map((one) => parseOneOf('update', one, UPDATABLE)))],
    statuses: new StatusReading(statuses, names.status),
    unused: new UnusedColumns(SUBSCRIPTION_COLUMNS, ignored),
  }
}
