import type { Page } from '@rollcall/core'

/** `whole`: a number without a fraction; `flag`: true or false, 1 or 0 in SQLite; `json`: a text that is JSON. */
export type ColumnKind = 'text' | 'whole' | 'flag' | 'json'

/** A value as both databases take it. */
export type Cell = string | number | null

declare const VALUE: unique symbol
/** The kind of a column, with the type of its values. */
export type Column<Value> = ColumnKind & { readonly [VALUE]: Value }

/** A text, of which `Value` says what it may be; with `null`, if it may be absent. */
export const text = <Value extends string | null = string>() => 'text' as Column<Value>
export const whole = <Value extends number | null = number>() => 'whole' as Column<Value>
export const flag = () => 'flag' as Column<number | boolean>

declare const PARSED: unique symbol
export type JsonColumn<Value> = Column<undefined extends Value ? string | null : string> & { readonly [PARSED]: Value }

/** A value as JSON; NULL if it is undefined. */
export const json = <Value>() => 'json' as JsonColumn<Value>

/** A table as both databases have it after all migrations. */
export interface Table {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnKind>>
  /** The columns, first among all, that tell its rows apart and that they are ordered by. */
  readonly key: number
  /** Its first column gives out numbers, each only once, even where its row is gone. */
  readonly counted?: true
}

/** A row by the names of its columns, as a statement gives it. */
export type RowOf<Described extends Table> = {
  -readonly [Name in keyof Described['columns']]: Described['columns'][Name] extends Column<infer Value> ? Value : never
}

export const table = <const Columns extends Table['columns']>(
  name: string,
  key: number,
  columns: Columns,
): { name: string; key: number; columns: Columns } => ({ name, key, columns })

/** A table whose key is its first column, which counts. */
export const countedTable = <const Columns extends Table['columns']>(name: string, columns: Columns) => ({
  ...table(name, 1, columns),
  counted: true as const,
})

/** The names of its columns in their order, but for some. */
export const columnsOf = ({ columns }: Table, ...except: readonly string[]): string[] =>
  Object.keys(columns).filter((name) => !except.includes(name))

/** The columns that tell its rows apart. */
export const keyOf = (described: Table): string[] => columnsOf(described).slice(0, described.key)

/** The values of a row, or of a record, in the order of these names. */
export const valuesOf = (names: readonly string[], row: object): Cell[] => {
  // Faster than `map`, whose array is one of small integers until another value comes.
  const values: Cell[] = []
  for (const name of names) values.push((row as Readonly<Record<string, Cell>>)[name] ?? null)
  return values
}

/** The row that these values make, in the order of these columns. */
export const rowFrom = <Row extends object>(columns: readonly string[], values: readonly unknown[]): Row => {
  const row: Record<string, unknown> = {}
  for (let place = 0; place < columns.length; place++) row[columns[place] ?? ''] = values[place]
  return row as Row
}

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/** What a row becomes: the same names in camel case, undefined for NULL, and JSON read. */
type RecordOf<Columns extends Table['columns'], Left extends string> = {
  -readonly [Name in Exclude<keyof Columns, Left> & string as Camel<Name>]: Columns[Name] extends {
    readonly [PARSED]: infer Parsed
  }
    ? Parsed
    : Columns[Name] extends Column<infer Value>
      ? null extends Value
        ? NonNullable<Value> | undefined
        : Value
      : never
}

/** What it is made of: what would be undefined may be left out. */
type Given<Properties> = {
  readonly [Name in keyof Properties as undefined extends Properties[Name] ? never : Name]: Properties[Name]
} & { readonly [Name in keyof Properties as undefined extends Properties[Name] ? Name : never]?: Properties[Name] }

/** How rows of a table, but for some columns, become records and back. */
export const mapping = <Described extends Table, Left extends string = never>(
  described: Described,
  ...except: readonly Left[]
) => {
  type Row = Omit<RowOf<Described>, Left>
  type Properties = RecordOf<Described['columns'], Left>
  const columns = columnsOf(described, ...except)
  const properties = columns.map((name) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()))
  const isJson = columns.map((name) => described.columns[name] === 'json')
  const toValues = (record: Given<Properties>): Cell[] => {
    const values = valuesOf(properties, record)
    for (const [place, value] of values.entries())
      if (isJson[place] && value !== null) values[place] = JSON.stringify(value)
    return values
  }
  return {
    columns,
    toRecord: (row: Row): Properties => {
      const record: Record<string, unknown> = {}
      for (let place = 0; place < columns.length; place++) {
        const cell = row[(columns[place] ?? '') as keyof Row] ?? undefined
        record[properties[place] ?? ''] = isJson[place] && cell !== undefined ? JSON.parse(cell as string) : cell
      }
      return record as Properties
    },
    toRow: (record: Given<Properties>): Row => rowFrom<Row>(columns, toValues(record)),
    /** In the order of the columns. */
    toValues,
  }
}

/** The statement that inserts a row with a value for each of these columns. */
export const insertInto = (name: string, columns: readonly string[]): string =>
  `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`

/** What an `ON CONFLICT` sets these columns to. */
export const excluded = (columns: readonly string[]): string =>
  columns.map((name) => `${name} = excluded.${name}`).join(', ')

/** The page that begins these rows, which are one more than the limit where the list goes on after it. */
export const pageOf = <Row, Item>(
  rows: readonly Row[],
  { limit, by }: { readonly limit: number; readonly by: (row: Row) => number },
  toItem: (row: Row) => Item,
): Page<Item> => {
  const shown = rows.length > limit ? rows.slice(0, limit) : rows
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map((row) => toItem(row)), next: last && by(last) }
}
