import { SQLITE_MIGRATIONS } from '../migrations/sqlite/index.ts'
import type { AppliedMigration } from '../schema-version.ts'
import { Connection } from './connection.ts'
import { appliedTo, runMigrations } from './migrate-sqlite.ts'

interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly tableName: string
  readonly sql: string | null
}

export interface SchemaTolerance {
  /** Tables that may be there beside those of the migrations, by the statement that makes each. */
  readonly tables?: Readonly<Record<string, string>>
  /** What else may be there, by name: `'any'` is everything that is not on a table of the migrations. */
  readonly own?: readonly string[] | 'any'
  /** Of a file that is only read: no trigger of it ever runs. */
  readonly onlyRead?: boolean
}

const OBJECTS = 'SELECT type, name, tbl_name AS tableName, sql FROM sqlite_schema'

const objectsOf = (connection: Connection): SchemaObject[] => connection.prepare<[], SchemaObject>(OBJECTS).all()

/** What ANALYZE leaves; it changes how statements are run, and not what they do. */
const isStatistics = ({ type, sql }: SchemaObject): boolean =>
  type === 'table' && /^CREATE TABLE sqlite_stat[14]\([a-z,]+\)$/.test(sql ?? '')

const keyOf = ({ type, name }: SchemaObject): string => `${type} ${name.toLowerCase()}`

const madeBy = (applied: readonly AppliedMigration[]): SchemaObject[] => {
  const made = Connection.inMemory()
  try {
    runMigrations(
      made,
      Object.keys(SQLITE_MIGRATIONS).filter((name) => applied.some((each) => each.name === name)),
    )
    return objectsOf(made)
  } finally {
    made.close()
  }
}

/**
 * In what the schema of a file differs from the one that the migrations make which were applied to it. A trigger, a view
 * or another definition of a column would change what later statements do. Only the schema is read for this.
 */
export const schemaFaults = (
  connection: Connection,
  { tables = {}, own = [], onlyRead = false }: SchemaTolerance = {},
): string[] => {
  const counts = ({ type }: SchemaObject): boolean => !onlyRead || type === 'table' || type === 'view'
  const expected = madeBy(appliedTo(connection)).filter(counts)
  const also = Object.entries(tables).map(([name, sql]) => ({ type: 'table', name, tableName: name, sql }))
  const wanted = new Map([...expected, ...also].map((object) => [keyOf(object), object]))
  const known = new Set([...wanted.values()].map(({ tableName }) => tableName.toLowerCase()))
  const isOwn = (object: SchemaObject): boolean =>
    !known.has(object.tableName.toLowerCase()) &&
    (own === 'any' || own.includes(object.name) || (object.type === 'index' && own.includes(object.tableName)))
  const found = objectsOf(connection).filter(counts)
  const foundKeys = new Set(found.map(keyOf))
  return [
    ...found.filter((object) => !(isStatistics(object) || isOwn(object))).flatMap((object) => faultsOf(object, wanted)),
    ...expected.filter((object) => !foundKeys.has(keyOf(object))).map((object) => `${called(object)} is missing`),
  ]
}

const faultsOf = (object: SchemaObject, wanted: ReadonlyMap<string, SchemaObject>): string[] => {
  const right = wanted.get(keyOf(object))
  if (right === undefined) return [`${called(object)} does not belong there`]
  const same = object.tableName === right.tableName && spaced(object.sql) === spaced(right.sql)
  return same ? [] : [`${called(object)} is not defined as it should be`]
}

const spaced = (sql: string | null): string | undefined => sql?.replace(/\s+/g, ' ')

const called = ({ type, name, tableName }: SchemaObject): string => {
  // As JSON: a name in a file of a stranger may hold control characters.
  const place = name === tableName ? '' : ` on ${JSON.stringify(tableName)}`
  return `the ${type} ${JSON.stringify(name)}${place}`
}
