import { MOVE_UNDER_WAY } from '../../moving/moved-tables.ts'
import { requireNotBegun, requireWhole } from '../../moving/unfinished-move.ts'
import type { Connection } from '../connection.ts'
import { tablesIn } from '../tables-in.ts'

const NOTE = 'SELECT value FROM instance WHERE name = ?'

/** What was noted of a move into the file; undefined where none is under way. */
export const moveNotedIn = (connection: Connection): string | undefined =>
  connection.prepare<[string], string>(NOTE).pluck().get(MOVE_UNDER_WAY)

/** @throws {StorageNotUsable} a move into the file was begun and not finished */
export const requireWholeFile = (connection: Connection, file: string): void => {
  requireNotBegun(tablesIn(connection), file)
  requireWhole(moveNotedIn(connection), file)
}
