import type { AccessTokenReader, TombstoneReader, TombstoneStore, UserId, UserReader, UserStore } from '@rollcall/core'
import {
  type CreateUserRepository,
  hostUsers,
  refuseToChange,
  type Sql,
  type SqlValue,
  UniqueViolation,
} from '../../user-repository.ts'
import type { Invoke } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import { violatesUniqueness } from '../sqlite-error.ts'
import type { Writer } from '../writer.ts'
import { preparedOn } from './run-methods.ts'

/** The users of a unit of work, where the host keeps them. */
export const hostUserStore = (
  create: CreateUserRepository,
  {
    writer,
    invoke,
    tombstones,
    accessTokens: { isRevoked },
  }: { writer: Writer; invoke: Invoke; tombstones: TombstoneStore; accessTokens: AccessTokenReader },
): UserStore => {
  const { connection } = writer
  const prepared = preparedOn(connection)
  const run = (text: string, ...values: SqlValue[]): number => {
    try {
      return writer.write(prepared(text), ...values).changes
    } catch (error) {
      throw violatesUniqueness(error) ? new UniqueViolation((error as Error).message, { cause: error }) : error
    }
  }
  const users = create({ all: selectingWith(prepared, invoke), run: (text, ...values) => invoke(run, text, ...values) })
  const noteErasure = connection.prepare(NOTE_ERASURE)
  const note = () => void writer.write(noteErasure)
  return {
    ...hostUsers(users, { isDeleted: (id) => tombstones.has(id), isRevoked }),
    put: (user) => users.put(user),
    erase: async (id) => {
      await users.erase(id)
      await invoke(note)
    },
  }
}

/** The same outside of a unit. */
export const hostUserReader = (
  create: CreateUserRepository,
  {
    connection,
    invoke,
    tombstones,
    accessTokens: { isRevoked },
  }: { connection: Connection; invoke: Invoke; tombstones: TombstoneReader; accessTokens: AccessTokenReader },
): UserReader => {
  const users = create({ all: selectingWith(preparedOn(connection), invoke), run: refuseToChange })
  const isDeleted = async (id: UserId) => (await tombstones.find(id)) !== undefined
  return hostUsers(users, { isDeleted, isRevoked })
}

const selectingWith = (prepared: ReturnType<typeof preparedOn>, invoke: Invoke): Sql['all'] => {
  const select = (text: string, ...values: SqlValue[]): unknown[] => {
    const statement = prepared(text)
    // Written past the writer, a change would be lost where another unit of its transaction is undone.
    if (!statement.readonly) throw new Error('Change rows with `run`: `all` only reads.')
    return statement.all(...values)
  }
  return async <Row extends object>(text: string, ...values: SqlValue[]) =>
    (await invoke(select, text, ...values)) as Row[]
}
