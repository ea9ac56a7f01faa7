import type { Caller } from '../access/caller.ts'
import { partsFor } from '../access/run-for.ts'
import { InvalidInput } from '../errors.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { USER_COLUMNS } from './column-guards.ts'
import { type EndOfImport, endOfImport, type RefusedRow } from './import-report.ts'
import { importInUnits, type Rows, readRow } from './import-units.ts'
import { readRecords } from './record-files.ts'
import { type FieldNames, parseRecordFormat } from './record-formats.ts'
import { UnusedColumns } from './unused-columns.ts'
import { importUserRow, READ_OF_USERS, USER_IMPORT_FIELDS } from './user-import-row.ts'
import {
  AddressTaken,
  addUsers,
  type ReadUserRow,
  Rehearsal,
  refusedUser,
  type UserRowRefusalName,
  type UserUnit,
} from './user-import-unit.ts'

export interface ImportUsersCommand {
  readonly format?: string | undefined
  readonly body: AsyncIterable<Uint8Array>
  /** The names of fields in the file, if they differ. */
  readonly names?: FieldNames | undefined
  /** Columns that decide nothing, or are not to. */
  readonly ignored?: readonly string[] | undefined
  /** Report what would happen to the rows, and change nothing. */
  readonly dryRun?: boolean | undefined
}

interface Order extends ImportUsersCommand {
  readonly unused: UnusedColumns
}

type RunUnit = (unit: (stores: Stores) => Promise<UserUnit>) => Promise<UserUnit>

/** How far an import has come. */
export interface UserImportCounts {
  /** As many as were read. */
  readonly rows: number
  readonly imported: number
  readonly refused: number
}

/** The last line of a report. */
export interface UserImportSummary extends UserImportCounts, EndOfImport {}

export type UserImportReportLine = RefusedRow<UserRowRefusalName> | UserImportSummary

export class ImportUsersUseCase extends UseCase<'access' | 'unitOfWork' | 'clock' | 'domainNames' | 'trail'> {
  static readonly permission = 'users:import'
  static readonly action = 'user.import'

  /**
   * Adds users and changes none: a row is refused whose id or address another user has, or whose user was deleted.
   * Resolves when the head of the file has been read, with the report: a line for each row that is refused, in the order
   * of the file, and the summary. It throws before anything is stored if the first row has a column that is not used
   * and may decide over users, unless that is ignored by name; later, such rows are refused. What a line says, and all before it, is on durable storage by then; as long as the next
   * line is not taken, nothing is read.
   * @throws {InvalidInput} the format or a field's name is unknown, or the columns are not those that are needed
   * @throws {MalformedRequest} the file is not UTF-8
   */
  async execute(command: ImportUsersCommand, caller: Caller): Promise<AsyncIterable<UserImportReportLine>> {
    await this.ports.access.require(caller, ImportUsersUseCase)
    const { body, names = {}, ignored } = command
    const unused = new UnusedColumns(USER_COLUMNS, ignored)
    const format = parseRecordFormat(command.format)
    const unknown = Object.keys(names).some((name) => !USER_IMPORT_FIELDS.some((field) => field === name))
    const message = `Name only these fields: ${USER_IMPORT_FIELDS.join(', ')}.`
    if (unknown) throw new InvalidInput([{ field: 'map', message }])
    const fields = READ_OF_USERS.filter((field) => !unused.ignores(names[field] ?? field))
    const decides = (name: string) => unused.decides(name)
    const reading = { format, body, fields, required: ['id', 'email'], names, decides, address: 'email' }
    const rows = await readRecords(reading)
    return this.#report(rows, { ...command, unused }, caller)
  }

  async *#report(rows: Rows, { unused, dryRun = false }: Order, caller: Caller): AsyncGenerator<UserImportReportLine> {
    let counts: UserImportCounts = { rows: 0, imported: 0, refused: 0 }
    const by = dryRun ? new Rehearsal() : caller
    const run: RunUnit =
      by instanceof Rehearsal
        ? (unit) => by.run(this.ports.unitOfWork.run(unit))
        : partsFor(this.ports, ImportUsersUseCase, caller)
    const carryOut = async (inHand: readonly ReadUserRow[]) => {
      const { rows, refusals } = await this.#addFirst(inHand, by, run)
      const [refused, imported] = [counts.refused + refusals.length, counts.imported + rows - refusals.length]
      counts = { rows: counts.rows + rows, imported, refused }
      return { rows, refusals }
    }
    const { access, domainNames } = this.ports
    const read = readRow(unused, (file) => {
      const row = importUserRow(file, { domainNames, table: access.table })
      unused.requireHarmless(file.others)
      return row
    })
    yield* importInUnits(rows, read, carryOut)
    yield { ...counts, ...endOfImport(dryRun, unused) }
  }

  /** Adds as many as a unit of work has time for, at least one. */
  async #addFirst(inHand: readonly ReadUserRow[], by: Caller | Rehearsal, run: RunUnit): Promise<UserUnit> {
    try {
      return await run((stores) => addUsers(this.ports, stores, inHand, by))
    } catch (error) {
      if (!(error instanceof AddressTaken)) throw error
      // The unit is undone: those before are added by themselves.
      const before = inHand.slice(0, error.at)
      const added = before.length === 0 ? { rows: 0, refusals: [] } : await this.#addFirst(before, by, run)
      if (added.rows < before.length) return added
      return { rows: added.rows + 1, refusals: [...added.refusals, refusedUser(error.row, 'EmailTaken')] }
    }
  }
}
