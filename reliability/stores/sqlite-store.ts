import { Connection } from '../../packages/storage-sql/src/sqlite/driver.ts'
import { tokenIdOf } from '../ledger/person.ts'
import {
  DELIVERY,
  type Look,
  MOVED,
  STATUS,
  type Store,
  type StoredMail,
  type StoredSubscription,
  type StoredUser,
} from './store.ts'

const COLUMNS = 'seq, id, feed, email, name, status'
const AT_ONCE = 500

/** A SQLite file. It is opened again for each read, and only while the service has it open as well. */
export class SqliteStore implements Store {
  readonly url: string
  readonly #file: string

  constructor(file: string) {
    this.#file = file
    this.url = `sqlite:${file}`
  }

  async settled(): Promise<void> {
    // Uncommitted changes are gone with the process.
  }

  async idle(): Promise<void> {
    // A reader sees committed data only.
  }

  async look({ subscriptions, after, users }: Parameters<Store['look']>[0]): Promise<Look> {
    return this.#read((database) => {
      const found = new Map<number, StoredSubscription>()
      const rows = database.prepare<number[], StoredSubscription>(`SELECT ${COLUMNS} FROM subscription WHERE seq > ?`)
      for (const row of rows.all(after)) found.set(row.seq, named(row))
      for (const ids of chunks(subscriptions)) {
        const query = `SELECT ${COLUMNS} FROM subscription WHERE id IN (${marks(ids)})`
        for (const row of database.prepare<number[], StoredSubscription>(query).all(...ids))
          found.set(row.seq, named(row))
      }
      const moved = new Set(database.prepare<[], number>(MOVED).pluck().all())
      const delivery = new Map(database.prepare<[], [number, string]>(DELIVERY).raw().all())
      return { subscriptions: [...found.values()], ...usersIn(database, users), moved, delivery }
    })
  }

  async all(): Promise<readonly StoredSubscription[]> {
    return this.#read((database) =>
      database.prepare<[], StoredSubscription>(`SELECT ${COLUMNS} FROM subscription`).all().map(named),
    )
  }

  async pending(): Promise<readonly StoredMail[]> {
    const query = 'SELECT subscription_id, message_id, parked_at IS NOT NULL, last_error FROM outbox'
    return this.#read((database) =>
      database
        .prepare<[], [number, string, number, string | null]>(query)
        .raw()
        .all()
        .map(([subscriptionId, messageId, parked, error]) => {
          return { subscriptionId, messageId, parked: parked === 1, error: error ?? undefined }
        }),
    )
  }

  async waitingRequests(): Promise<number> {
    return this.#read(
      (database) => database.prepare<[], number>('SELECT count(*) FROM sign_up_request').pluck().get() ?? 0,
    )
  }

  async damage(): Promise<readonly string[]> {
    return this.#read((database) => {
      const found = database.prepare<[], string>('PRAGMA integrity_check').pluck().all()
      const astray = database.prepare('PRAGMA foreign_key_check').all().length
      return [...found.filter((line) => line !== 'ok'), ...(astray > 0 ? [`${astray} rows refer to none`] : [])]
    })
  }

  async checkpoint(): Promise<void> {
    const database = new Connection(this.#file)
    database.pragma('wal_checkpoint(PASSIVE)')
    database.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The folder is removed with it.
  }

  #read<Result>(look: (database: Connection) => Result): Result {
    const database = new Connection(this.#file, { readonly: true })
    try {
      database.exec('BEGIN')
      return look(database)
    } finally {
      database.close()
    }
  }
}

const usersIn = (database: Connection, ids: readonly string[]): Pick<Look, 'users' | 'tombstones' | 'revoked'> => {
  const users: StoredUser[] = []
  const tombstones = new Set<string>()
  const revoked = new Set<string>()
  for (const some of chunks(ids)) {
    const query = `SELECT id, email, name, suspended_at FROM user_account WHERE id IN (${marks(some)})`
    users.push(...database.prepare<string[], StoredUser>(query).all(...some))
    const gone = database
      .prepare<string[], string>(`SELECT id FROM identity WHERE deleted_at IS NOT NULL AND id IN (${marks(some)})`)
      .pluck()
    for (const id of gone.all(...some)) tombstones.add(id)
    const tokens = `SELECT jti FROM revoked_token WHERE jti IN (${marks(some)})`
    const refused = database.prepare<string[], string>(tokens).pluck()
    for (const id of refused.all(...some.map(tokenIdOf))) revoked.add(id)
  }
  return { users, tombstones, revoked }
}

const named = (row: StoredSubscription): StoredSubscription => ({ ...row, status: STATUS[row.status] ?? row.status })

const marks = (values: readonly unknown[]): string => values.map(() => '?').join()

const chunks = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, n) => items.slice(n * AT_ONCE, (n + 1) * AT_ONCE))
