import type { Config } from './config.ts'
import type { Storage } from './database.ts'
import type { Log } from './log.ts'

/** What the database remembers the settings by of the service that was started last. */
const SERVICE_SETTINGS = 'service-settings'

/** What decides on what is stored and shown, wherever that is done. */
export interface ServiceSettings extends Pick<Config, 'DELETE_GRACE' | 'CONFIRM_TTL' | 'publicUrl'> {}

const textOf = ({ DELETE_GRACE, CONFIRM_TTL, publicUrl }: ServiceSettings): string =>
  JSON.stringify({ DELETE_GRACE, CONFIRM_TTL, publicUrl })

/** Of a service that serves: for the commands beside it, whose environment may be another. */
export const noteServiceSettings = async (
  config: ServiceSettings,
  { recall, resettle }: Pick<Storage, 'recall' | 'resettle'>,
  log: Log,
): Promise<void> => {
  const [own, known] = [textOf(config), await recall(SERVICE_SETTINGS)]
  if (known === own) return
  await resettle(SERVICE_SETTINGS, own)
  if (known !== undefined) log.warn({ before: known, now: own }, 'commands go by other settings from now on')
}

/** None if no service was ever started. */
export const recallServiceSettings = async ({ recall }: Pick<Storage, 'recall'>): Promise<Partial<ServiceSettings>> => {
  const known: Partial<Record<keyof ServiceSettings, unknown>> = JSON.parse((await recall(SERVICE_SETTINGS)) ?? '{}')
  const { DELETE_GRACE, CONFIRM_TTL, publicUrl } = known
  return {
    ...(typeof DELETE_GRACE === 'number' && { DELETE_GRACE }),
    ...(typeof CONFIRM_TTL === 'number' && { CONFIRM_TTL }),
    ...(typeof publicUrl === 'string' && { publicUrl }),
  }
}

/** A configuration of commands, with what the service has; of two graces the longer one, which loses nothing. */
export const asTheService = async <Given extends ServiceSettings>(
  config: Given,
  storage: Pick<Storage, 'recall'>,
): Promise<Given> => {
  const service = await recallServiceSettings(storage)
  return { ...config, ...service, DELETE_GRACE: Math.max(config.DELETE_GRACE, service.DELETE_GRACE ?? 0) }
}
