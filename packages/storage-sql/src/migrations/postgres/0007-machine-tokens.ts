import type { Kysely } from 'kysely'

export const up = async (_db: Kysely<unknown>): Promise<void> => {}
