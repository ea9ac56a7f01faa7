import { chmod } from 'node:fs/promises'
import { type PostgresServer, startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { newDatabase } from '../postgres/measure-postgres.ts'
import { query } from '../postgres/query.ts'
import { rollcall } from '../rollcall/rollcall.ts'
import { signUps } from '../traffic.ts'
import { type BenchCase, outside } from './bench-case.ts'

/** The service as in `post-rollcall`, on PostgreSQL: one database server for all repetitions, on any core. */
export const postgresSignUp = (scratch: string): BenchCase => {
  let server: PostgresServer | undefined
  let databases = 0
  return {
    name: 'post-on-postgres',
    title: 'POST, Rollcall on PostgreSQL',
    status: 200,
    run: async (folder) => {
      // The account that the server runs under must be able to enter.
      await chmod(scratch, 0o711)
      server ??= await startPostgres({}, scratch)
      const url = await newDatabase(server, { scratch }, `sign_ups_${++databases}`)
      return {
        server: await rollcall(folder, { DATABASE_URL: url }),
        traffic: signUps,
        end: 'SIGKILL',
        disagreements: async (counts) => {
          const [row] = await query(url, 'SELECT count(*)::int AS found FROM subscription')
          return outside('subscriptions', Number(row?.found), counts)
        },
      }
    },
    finish: async () => {
      await server?.stop()
    },
  }
}
