import { type Connection, pluck } from '../connection.ts'

/**
 * What a database that is replaced is to the backup that replaces it. `whole`: it is what became of the backup, and its
 * events say all that was erased since. `pruned`: some of them are gone with their age, so that whatever it does not have
 * any more counts as erased. `branched`: both are of one database, but it goes back to yet another backup.
 */
export type Lineage = 'branched' | 'pruned' | 'whole'

/** Every id that a table of the backup has given out: a later row has a greater one. */
export const givenOut = (table: string): string =>
  `(SELECT coalesce(max(seq), 0) FROM main.sqlite_sequence WHERE name = '${table}')`

const NEWEST = `max(coalesce((SELECT max(at) FROM main.audit_record), 0), coalesce((SELECT max(at) FROM main.event), 0))`

/** Of events of the replaced database: those that came after the backup. */
export const sinceBackup = (lineage: Lineage): string =>
  lineage === 'branched' ? `at >= (SELECT ${NEWEST})` : `id > ${givenOut('event')}`

export const lineageOf = (connection: Connection): Lineage => {
  if (OTHER_ENDS.some((sql) => pluck(connection, sql).length > 0)) return 'branched'
  const pruned = pluck(
    connection,
    'SELECT 1 WHERE (SELECT min(position) FROM replaced.event) > (SELECT coalesce(max(position), 0) + 1 FROM event)',
  )
  return pruned.length > 0 ? 'pruned' : 'whole'
}

/** The end of the trail in the backup, if what is replaced does not have it. A record may have got its number since. */
const OTHER_ENDS = [
  `SELECT 1 FROM (SELECT last, mac FROM main.audit_seal ORDER BY last DESC LIMIT 1) AS m
    WHERE NOT EXISTS (SELECT 1 FROM replaced.audit_seal AS r WHERE r.last = m.last AND r.mac = m.mac)`,
  `SELECT 1 FROM (SELECT * FROM main.audit_record ORDER BY id DESC LIMIT 1) AS m
    WHERE NOT EXISTS (SELECT 1 FROM replaced.audit_record AS r
      WHERE r.id = m.id AND (r.at, r.actor, r.action, r.target) IS (m.at, m.actor, m.action, m.target))`,
]
