import type pg from 'pg'
import { MOVE_UNDER_WAY } from '../../moving/moved-tables.ts'
import { requireNotBegun, requireWhole } from '../../moving/unfinished-move.ts'
import { tablesIn } from '../tables-in.ts'

type Asked = Pick<pg.ClientBase, 'query'>

/** What was noted of a move into the database; undefined where none is under way. */
export const moveNotedIn = async (asked: Asked): Promise<string | undefined> => {
  const text = 'SELECT value FROM instance WHERE name = $1'
  return (await asked.query<{ value: string }>(text, [MOVE_UNDER_WAY])).rows[0]?.value
}

/** @throws {StorageNotUsable} a move into the database was begun and not finished */
export const requireWholeDatabase = async (asked: Asked, server: string): Promise<void> => {
  requireNotBegun(await tablesIn(asked), server)
  requireWhole(await moveNotedIn(asked), server)
}
