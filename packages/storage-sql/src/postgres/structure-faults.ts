import { POSTGRES_MIGRATIONS } from '../migrations/postgres/index.ts'
import type { Connection } from './connection.ts'
import { isForbidden, isUndefinedFunction } from './postgres-error.ts'

interface Part {
  /** Such as `index` or `trigger`. */
  readonly kind: string
  readonly name: string
  readonly table: string
  readonly definition: string
  /** Whether it does no harm where it does not belong. */
  readonly harmless: boolean
}

/**
 * In what the tables differ from those that the migrations make, which are made for that as temporary ones, and undone. So
 * it is compared what the same server says of both. Undefined if the role may not make any.
 */
export const structureFaults = async (connection: Connection): Promise<readonly string[] | undefined> => {
  await connection.query('BEGIN')
  try {
    const { rows } = await connection.query<{ schema: string }>('SELECT current_schema() AS schema')
    const schema = rows[0]?.schema ?? ''
    await connection.query(`SET LOCAL search_path = pg_temp, "${schema}"`)
    for (const { statements } of Object.values(POSTGRES_MIGRATIONS))
      for (const statement of statements) await connection.query(asTemporary(statement))
    const [found, expected] = [await partsOf(connection, schema, schema), await partsOf(connection, 'pg_temp', schema)]
    return differences(found, expected)
  } catch (error) {
    if (isForbidden(error)) return undefined
    // The triggers of temporary tables find no temporary functions, but those that are there.
    if (isUndefinedFunction(error)) return [`${(error as Error).message.replace(' does not exist', '')} is missing`]
    throw error
  } finally {
    await connection.query('ROLLBACK')
  }
}

const asTemporary = (statement: string): string => statement.replace(/^CREATE UNLOGGED TABLE/, 'CREATE TABLE')

const partsOf = async (connection: Connection, schema: string, name: string): Promise<readonly Part[]> =>
  (await connection.query<Part>(PARTS, [schema, name])).rows

const differences = (found: readonly Part[], expected: readonly Part[]): readonly string[] => {
  const wanted = new Map(expected.map((part) => [keyOf(part), part]))
  const tables = new Set(expected.map(({ table }) => table))
  const there = new Set(found.map(keyOf))
  return [
    ...found
      .filter((part) => tables.has(part.table))
      .flatMap((part) => {
        const right = wanted.get(keyOf(part))
        if (right === undefined) return part.harmless ? [] : [`${called(part)} does not belong there`]
        return right.definition === part.definition ? [] : [`${called(part)} is not as it should be`]
      }),
    ...expected.filter((part) => !there.has(keyOf(part))).map((part) => `${called(part)} is missing`),
  ]
}

const keyOf = ({ kind, name, table }: Part): string => `${kind} ${table} ${name}`

const called = ({ kind, name, table }: Part): string => {
  const place = name === table || table === '' ? '' : ` of ${JSON.stringify(table)}`
  return `the ${kind} ${JSON.stringify(name)}${place}`
}

// A definition has the schema in it, or not, by what is found first. What is switched off, not valid or hides rows is
// no longer what the statements go by.
const PARTS = `WITH space AS (
    SELECT oid, nspname FROM pg_namespace WHERE CASE $1 WHEN 'pg_temp' THEN oid = pg_my_temp_schema() ELSE nspname = $1 END
  ), relation AS (
    SELECT c.* FROM pg_class AS c JOIN space ON space.oid = c.relnamespace WHERE c.relkind IN ('r', 'p')
  ), part AS (
    SELECT 'table' AS kind, relname AS name, relname AS "table", false AS harmless,
      concat_ws(' ', relkind, relrowsecurity, relhasrules) AS definition FROM relation
    UNION ALL
    SELECT 'column', attname, relname, false,
      concat_ws(' ', format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull, attidentity, attgenerated,
        pg_get_expr(adbin, adrelid))
      FROM relation JOIN pg_attribute ON attrelid = relation.oid AND attnum > 0 AND NOT attisdropped
        LEFT JOIN pg_attrdef ON adrelid = relation.oid AND adnum = attnum
    UNION ALL
    SELECT 'constraint', conname, relname, false, concat_ws(' ', pg_get_constraintdef(pg_constraint.oid), convalidated)
      FROM relation JOIN pg_constraint ON conrelid = relation.oid AND contype IN ('c', 'f', 'p', 'u', 'x')
    UNION ALL
    SELECT 'index', i.relname, relation.relname, NOT indisunique,
      concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid, indisready, indimmediate)
      FROM relation JOIN pg_index ON indrelid = relation.oid JOIN pg_class AS i ON i.oid = indexrelid
    UNION ALL
    SELECT 'trigger', tgname, relname, false, concat_ws(' ', pg_get_triggerdef(pg_trigger.oid), tgenabled)
      FROM relation JOIN pg_trigger ON tgrelid = relation.oid AND NOT tgisinternal
    UNION ALL
    SELECT 'function', proname, '', false, concat_ws(' ', prosrc, prosecdef,
        (SELECT string_agg(setting, ' ' ORDER BY setting) FROM unnest(proconfig) AS setting WHERE setting NOT LIKE 'search_path=%'))
      FROM pg_proc JOIN space ON space.oid = pronamespace WHERE proname LIKE 'rollcall\\_%'
  )
  SELECT kind::text, name::text, "table"::text, harmless,
      regexp_replace(definition, '"?\\m(pg_temp(_\\d+)?|' || $2 || ')"?\\.', '', 'g') AS definition
    FROM part ORDER BY 1, 3, 2`
