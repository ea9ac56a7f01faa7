import type { Config } from './config.ts'
import type { Storage } from './database.ts'

/** What the database remembers of how long a deletion can be undone, in milliseconds. */
const DELETE_GRACE = 'delete-grace'

/** To be noted by a service that starts, for the commands beside it, whose environment may be another. */
export const noteDeleteGrace = async (
  { DELETE_GRACE: grace }: Pick<Config, 'DELETE_GRACE'>,
  { recall, resettle }: Pick<Storage, 'recall' | 'resettle'>,
): Promise<void> => {
  if ((await recall(DELETE_GRACE)) !== `${grace}`) await resettle(DELETE_GRACE, `${grace}`)
}

/** As the service has it that was started last; undefined if none ever was. */
export const deleteGraceOfService = async ({ recall }: Pick<Storage, 'recall'>): Promise<number | undefined> => {
  const known = await recall(DELETE_GRACE)
  return known === undefined ? undefined : Number(known)
}
