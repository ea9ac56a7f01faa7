import { channel } from 'node:diagnostics_channel'

/** Published with the text of each statement that PostgreSQL has answered, for tests that count them. */
export const POSTGRES_STATEMENTS = channel('rollcall:postgres:statements')
