import {
  type PostgresServer,
  startPostgres,
} from '../../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { somePostgres } from '../../../proving/shared/postgres-store.ts'
import type { Place } from './place.ts'

/** The server that `TEST_POSTGRES_URL` names, or one of its own, which ends with the place. */
export const postgresIn = async (place: Place): Promise<Pick<PostgresServer, 'url'>> =>
  process.env.TEST_POSTGRES_URL ? await somePostgres() : await ownPostgresIn(place)

/** One that may be stopped and lost. */
export const ownPostgresIn = (place: Place): Promise<PostgresServer> => startPostgres({}, place.folder)
