import type { Instant } from '@rollcall/core'
import type { Storage } from './database.ts'

/** What cron runs, and what nobody would miss: when it was last done is kept in the database, for the metrics. */
export const LAST_BACKUP = 'last-backup'
export const LAST_VERIFICATION = 'last-audit-verification'

interface Done {
  readonly at: Instant
  readonly well: boolean
}

export const noteDone = (storage: Pick<Storage, 'resettle'>, name: string, { at, well }: Done): Promise<void> =>
  storage.resettle(name, `${at} ${well ? 'well' : 'badly'}`)

/** Undefined if it was never done. */
export const recallDone = async (storage: Pick<Storage, 'recall'>, name: string): Promise<Done | undefined> => {
  const [at, how] = (await storage.recall(name))?.split(' ') ?? []
  return at === undefined ? undefined : { at: Number(at), well: how === 'well' }
}
