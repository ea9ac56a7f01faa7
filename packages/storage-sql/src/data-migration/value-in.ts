import { MOVED_TABLES } from './moved-tables.ts'
import type { MovingEnd } from './moving-end.ts'

// What is settled are a handful of values.
const MANY = 1_000

/** A value that was settled in a database, such as the fingerprint of a secret. */
export const valueIn = async (end: MovingEnd, name: string): Promise<string | undefined> => {
  const instance = MOVED_TABLES.filter((table) => table.name === 'instance')
  for (const table of instance)
    for (const [known, value] of await end.rows(table, undefined, MANY)) if (known === name) return String(value)
  return undefined
}
