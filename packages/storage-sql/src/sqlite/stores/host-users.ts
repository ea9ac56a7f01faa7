import type { AccessTokenReader, TombstoneStore, UserStore } from '@rollcall/core'
import {
  type CreateUserRepository,
  hostUserStore,
  refuseToChange,
  type Sql,
  type SqlValue,
  UniqueViolation,
} from '../../user-repository.ts'
import type { Invoke } from '../asynchronous.ts'
import type { Connection, Statement } from '../connection.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import { isReadOnly, violatesUniqueness } from '../sqlite-error.ts'
import type { Writer } from '../writer.ts'
import { preparedOn } from './run-methods.ts'

/** Statements of a host in a unit of work. */
export const sqlOf = (writer: Writer, invoke: Invoke): Sql => {
  const prepared = preparedOn(writer.connection)
  const run = (text: string, ...values: SqlValue[]): number => {
    try {
      return writer.write(prepared(text), ...values).changes
    } catch (error) {
      throw violatesUniqueness(error) ? new UniqueViolation((error as Error).message, { cause: error }) : error
    }
  }
  return { all: selectingOn(writer.connection, invoke), run: (text, ...values) => invoke(run, text, ...values) }
}

/** The users of a unit of work, if the host keeps them. */
export const sqliteHostUserStore = (
  create: CreateUserRepository,
  { writer, invoke }: { readonly writer: Writer; readonly invoke: Invoke },
  tombstones: TombstoneStore,
  accessTokens: AccessTokenReader,
): UserStore => {
  const noteErasure = writer.connection.prepare(NOTE_ERASURE)
  const note = () => void writer.write(noteErasure)
  const store = hostUserStore(create(sqlOf(writer, invoke)), tombstones, accessTokens)
  return {
    ...store,
    erase: async (id) => {
      await store.erase(id)
      await invoke(note)
    },
  }
}

/** Statements of a host outside of a unit. */
export const readingSqlOf = (connection: Connection, invoke: Invoke): Sql => ({
  all: selectingOn(connection, invoke),
  run: refuseToChange,
})

const selectingOn = (connection: Connection, invoke: Invoke): Sql['all'] => {
  const prepared = preparedOn(connection)
  const [onlyRead, alsoWrite] = [1, 0].map((on) => connection.prepare(`PRAGMA query_only = ${on}`)) as [
    Statement,
    Statement,
  ]
  const select = (text: string, ...values: SqlValue[]): unknown[] => {
    // Written past the writer, a change would not be noticed by it.
    onlyRead.run()
    try {
      // Objects as others make them: those of SQLite have no prototype.
      return prepared(text)
        .all(...values)
        .map((row) => ({ ...(row as object) }))
    } catch (error) {
      throw isReadOnly(error) ? new Error('Change rows with `run`: `all` only reads.', { cause: error }) : error
    } finally {
      alsoWrite.run()
    }
  }
  return async <Row extends object>(text: string, ...values: SqlValue[]) =>
    (await invoke(select, text, ...values)) as Row[]
}
