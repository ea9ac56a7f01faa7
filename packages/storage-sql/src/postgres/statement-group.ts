import pg from 'pg'
import { columnTypes } from './column-types.ts'
import { type Rows, type Statement, textOf, type Value } from './statement.ts'

/** What the driver's types leave out. */
interface Wire {
  /** The texts of statements by their names: those that the server has prepared, and those that it was sent. */
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
  parse(message: Statement): void
  bind(message: { statement: string; values: readonly Value[]; valueMapper: typeof textOf }): void
  describe(message: { type: 'P' }): void
  execute(message: object): void
  sync(): void
}
interface DriverQuery extends pg.Submittable {
  callback: (error: unknown) => void
}
const Query = pg.Query as unknown as new (text: string) => DriverQuery

/** What the server answers to a statement. */
export interface Answer extends Rows {
  /** What was done, and to how many rows, as the server says it: `INSERT 0 3`, or `COMMIT`. */
  readonly tag: string
}

interface Description {
  readonly fields: readonly pg.FieldDef[]
  readonly parsers: readonly ((text: string) => unknown)[]
}
const NO_ROWS: Description = { fields: [], parsers: [] }

/** What each statement gives on a connection, by its name: it stays so for as long as the server has it prepared. */
const described = new WeakMap<Wire, Map<string, Description>>()

/** What the server answers to one statement by itself. */
export const answerTo = (
  connection: pg.ClientBase,
  statement: Statement,
  values: readonly Value[],
): Promise<Answer> => {
  const group = new StatementGroup(statement.timeout)
  const answer = group.add(statement, values)
  connection.query(group)
  return answer
}

interface Member {
  readonly statement: Statement
  readonly values: readonly Value[]
  readonly rows: unknown[][]
  readonly answered: PromiseWithResolvers<Answer>
}

/**
 * Statements that go out together and are answered together: the server sends its answers once for all of them, and not
 * for each. Where one fails, it skips those after it, and they fail with it.
 */
export class StatementGroup extends Query {
  readonly #members: Member[] = []
  #answers = 0
  #wire: Wire | undefined
  #descriptions = new Map<string, Description>()
  /** By which the driver goes. */
  readonly query_timeout: number | undefined

  /** `timeout`: milliseconds after which no answer is waited for, where that is to be sooner than usual. */
  constructor(timeout?: number) {
    super('')
    this.query_timeout = timeout
    this.callback = (error) => {
      if (error) this.#fail(error)
    }
  }

  add(statement: Statement, values: readonly Value[]): Promise<Answer> {
    const answered = Promise.withResolvers<Answer>()
    this.#members.push({ statement, values, rows: [], answered })
    return answered.promise
  }

  // By the name and the text of the statement that is answered next, the driver notes what the server has prepared.
  get name(): string | undefined {
    return this.#members[this.#answers]?.statement.name
  }

  set name(_) {}

  get text(): string | undefined {
    return this.#members[this.#answers]?.statement.text
  }

  set text(_) {}

  requiresPreparation(): boolean {
    return true
  }

  prepare(wire: Wire): void {
    this.#wire = wire
    const known = described.get(wire)
    if (known) this.#descriptions = known
    else described.set(wire, this.#descriptions)
    for (const { statement, values } of this.#members) {
      const { name } = statement
      if (wire.parsedStatements[name] === undefined && wire.submittedNamedStatements[name] === undefined) {
        wire.parse(statement)
        wire.submittedNamedStatements[name] = statement.text
      }
      wire.bind({ statement: name, values, valueMapper: textOf })
      if (!this.#descriptions.has(name)) wire.describe({ type: 'P' })
      wire.execute({})
    }
    wire.sync()
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.#descriptions.set(this.name ?? '', {
      fields,
      parsers: fields.map(({ dataTypeID }) => columnTypes.getTypeParser(dataTypeID)),
    })
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const member = this.#members[this.#answers]
    const parsers = this.#descriptions.get(this.name ?? '')?.parsers
    member?.rows.push(fields.map((field, place) => (field === null ? null : parsers?.[place]?.(field))))
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const member = this.#members[this.#answers]
    if (member === undefined) return
    const { statement, rows, answered } = member
    let description = this.#descriptions.get(statement.name)
    if (description === undefined) {
      description = NO_ROWS
      this.#descriptions.set(statement.name, description)
    }
    answered.resolve({ rows, fields: description.fields, tag: text })
    this.#answers++
  }

  handleError(error: unknown): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }

  #fail(error: unknown): void {
    for (const { statement, answered } of this.#members.slice(this.#answers)) {
      answered.reject(error)
      // The server has skipped it, and has not prepared it.
      delete this.#wire?.submittedNamedStatements[statement.name]
    }
  }
}
