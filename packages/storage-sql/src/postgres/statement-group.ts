import pg from 'pg'
import { type Statement, textOf, type Value } from './statement.ts'

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
type Callback = (error: unknown, results: pg.QueryArrayResult | pg.QueryArrayResult[] | undefined) => void
interface DriverQuery extends pg.Submittable {
  callback: Callback
  readonly _results: pg.QueryArrayResult | pg.QueryArrayResult[]
  handleCommandComplete(message: unknown, connection: unknown): void
}
const Query = pg.Query as unknown as new (config: object) => DriverQuery

interface Member {
  readonly statement: Statement
  readonly values: readonly Value[]
  readonly answered: PromiseWithResolvers<pg.QueryArrayResult>
}

/**
 * Statements that go out together and are answered together: the server sends its answers once for all of them, and not
 * for each. Where one fails, it skips those after it, and they fail with it.
 */
export class StatementGroup extends Query {
  readonly #members: Member[] = []
  #answers = 0
  #wire: Wire | undefined

  constructor() {
    super({ rowMode: 'array' })
    this.callback = (error) => this.#settle(error)
  }

  add(statement: Statement, values: readonly Value[]): Promise<pg.QueryArrayResult> {
    const answered = Promise.withResolvers<pg.QueryArrayResult>()
    this.#members.push({ statement, values, answered })
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
    for (const { statement, values } of this.#members) {
      const { name } = statement
      if (wire.parsedStatements[name] === undefined && wire.submittedNamedStatements[name] === undefined) {
        wire.parse(statement)
        wire.submittedNamedStatements[name] = statement.text
      }
      wire.bind({ statement: name, values, valueMapper: textOf })
      wire.describe({ type: 'P' })
      wire.execute({})
    }
    wire.sync()
  }

  override handleCommandComplete(message: unknown, connection: unknown): void {
    super.handleCommandComplete(message, connection)
    this.#answers++
  }

  #settle(error: unknown): void {
    const results = [this._results].flat()
    for (const [index, { statement, answered }] of this.#members.entries()) {
      const result = index < this.#answers ? results[index] : undefined
      if (result !== undefined) answered.resolve(result)
      else {
        answered.reject(error)
        // The server has skipped it, and has not prepared it.
        delete this.#wire?.submittedNamedStatements[statement.name]
      }
    }
  }
}
