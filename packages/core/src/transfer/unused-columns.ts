import { type FieldProblem, InvalidInput } from '../errors.ts'
import type { FileRow } from './record-formats.ts'
import { DEEPEST } from './speaks-of-leaving.ts'

/** Columns of a file, or members of its objects, that an import does not use. */
type Unused = FileRow['others']

/** Which columns that are not used may decide over people, as one kind of import sees it; each with what to do. */
export type ColumnGuard = (name: string) => ColumnJudge

export interface ColumnJudge {
  /** What is wrong with the column itself, by its name. */
  readonly problem?: string | undefined
  /** What is wrong with a value in it. */
  readonly ofValue: (value: string) => string | undefined
}

/** Names that are kept for the report; a row with one more is refused, so that no file fills the memory. */
const MOST_NAMES = 1_000
const TOO_MUCH = 'There is too much here to be looked through. Leave it out of the file, or ignore it: --ignore.'

/** Refuses to drop a column that says who left. What it does not understand, it does not let pass. */
export class UnusedColumns {
  readonly #guard: ColumnGuard
  readonly #ignored: ReadonlySet<string>
  readonly #names = new Set<string>()
  readonly #judges = new Map<string, ColumnJudge>()
  #begun = false

  constructor(guard: ColumnGuard, ignored: readonly string[] = []) {
    this.#guard = guard
    this.#ignored = new Set(ignored.map(foldedName))
  }

  /** Every column that is not used, in the order in which they came. */
  get names(): readonly string[] {
    return [...this.#names]
  }

  /** Whether it was ignored by its name. */
  ignores(name: string): boolean {
    return this.#ignored.has(foldedName(name))
  }

  /** Whether a cell of it may decide over the person: then no row may lack it. */
  decides(name: string): boolean {
    const { problem, ofValue } = this.#judge(name)
    return !this.ignores(name) && (problem ?? ofValue('no')) !== undefined
  }

  /**
   * Takes note of the columns of a row, before anything is done with it.
   * @throws {InvalidInput} the first row has a column that must be mapped or ignored: the import must not begin
   */
  note(columns: Unused): void {
    this.name(columns)
    if (this.#begun) return
    this.#begun = true
    const problems: FieldProblem[] = []
    for (const [name] of this.#places(columns)) add(problems, `${COLUMN}${name}`, this.#judge(name).problem)
    if (problems.length > 0) throw new InvalidInput(problems)
  }

  /** For the report alone. */
  name(columns: Unused): void {
    for (const [name] of columns) if (this.#names.size < MOST_NAMES) this.#names.add(name)
  }

  /** @throws {InvalidInput} what this row has in columns that are not used may decide over the person */
  requireHarmless(columns: Unused): void {
    if (columns.length === 0) return
    const problems: FieldProblem[] = []
    for (const [name, value] of this.#places(columns)) {
      const { problem, ofValue } = this.#judge(name)
      add(problems, name, problem ?? (value === undefined ? TOO_MUCH : ofValue(value)))
    }
    const [tooMany] = columns.find(([name]) => !this.#names.has(name)) ?? []
    if (tooMany !== undefined) add(problems, tooMany, TOO_MUCH)
    if (problems.length > 0) throw new InvalidInput(problems)
  }

  #judge(name: string): ColumnJudge {
    const known = this.#judges.get(name)
    if (known !== undefined) return known
    if (this.#judges.size >= MOST_NAMES) this.#judges.clear()
    const judge = this.#guard(name)
    this.#judges.set(name, judge)
    return judge
  }

  /** Each text with its name, within objects too, as `subscription.status`; undefined for what is too deep. */
  *#places(columns: Unused): Generator<readonly [name: string, value: string | undefined]> {
    for (const [name, value] of columns)
      if (!this.ignores(name)) for (const place of placesIn(name, value, 0)) if (!this.ignores(place[0])) yield place
  }
}

const COLUMN = 'column '

/** Whether a problem is about a column, and so keeps a whole file from being imported. */
export const isAboutColumn = ({ field }: FieldProblem): boolean => field.startsWith(COLUMN)

const add = (problems: FieldProblem[], field: string, message: string | undefined): void => {
  if (message !== undefined && !problems.some((known) => known.field === field)) problems.push({ field, message })
}

/** Names of columns are compared without regard to case and to blanks around them. */
export const foldedName = (name: string): string => name.trim().toLowerCase()

function* placesIn(
  name: string,
  value: unknown,
  depth: number,
): Generator<readonly [name: string, value: string | undefined]> {
  if (typeof value !== 'object' || value === null) {
    yield [name, value === null || value === undefined ? '' : String(value)]
    return
  }
  yield [name, depth === DEEPEST ? undefined : '']
  if (depth === DEEPEST) return
  const members = Array.isArray(value)
    ? value.map((member) => [name, member] as const)
    : Object.entries(value).map(([member, inside]) => [`${name}.${member}`, inside] as const)
  for (const [path, inside] of members) yield* placesIn(path, inside, depth + 1)
}

/** A text as an argument that can be copied to a command line; a placeholder for one that is more than words. */
export const argument = (text: string, placeholder: string): string => {
  if (/^[\p{L}\p{N}_.-]+$/u.test(text)) return text
  return /^[\p{L}\p{N}_. -]+$/u.test(text) ? `"${text}"` : placeholder
}

/** A value as a message shows it. */
export const shown = (value: string): string => `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`
