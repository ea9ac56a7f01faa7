import type { PgBouncer } from '../../packages/storage-sql/test/postgres-server/pgbouncer.ts'
import type { PostgresServer } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'

/** What is between the service and its database, and the database. */
export interface Between {
  readonly bouncer: PgBouncer
  readonly server: PostgresServer
  readonly database: string
}

/** Something that goes wrong between the service and its database; afterwards all of it is there again. */
export interface Trouble {
  readonly name: string
  readonly happen: (between: Between) => Promise<void>
}

export const TROUBLES: readonly Trouble[] = [
  {
    name: 'the pooler is killed',
    happen: async ({ bouncer }) => {
      await bouncer.kill()
      await bouncer.start()
    },
  },
  {
    name: 'the pooler is shut down at once',
    happen: async ({ bouncer }) => {
      await bouncer.shutDown()
      await bouncer.start()
    },
  },
  {
    name: 'the pooler cuts off every client',
    happen: async ({ bouncer, database }) => {
      await bouncer.command(`KILL ${database}`)
      await bouncer.command(`RESUME ${database}`)
    },
  },
  { name: 'the pooler reconnects', happen: ({ bouncer }) => bouncer.command('RECONNECT') },
  {
    name: 'the server is shut down at once',
    happen: async ({ server }) => {
      await server.crash()
      await server.start()
    },
  },
]
