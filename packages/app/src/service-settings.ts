import type { Config } from './config.ts'
import type { Storage } from './database.ts'

/** The settings of the service that was started last, as the database remembers them. */
const SERVICE_SETTINGS = 'service-settings'

/** What decides on what is stored and shown, wherever that is done. */
const SHARED = { DELETE_GRACE: 'DELETE_GRACE', CONFIRM_TTL: 'CONFIRM_TTL', publicUrl: 'PUBLIC_URL' } as const

export type ServiceSettings = Pick<Config, keyof typeof SHARED>

const sharedOf = ({ DELETE_GRACE, CONFIRM_TTL, publicUrl }: ServiceSettings): ServiceSettings => ({
  DELETE_GRACE,
  CONFIRM_TTL,
  publicUrl,
})

/** Of a service that starts: for the commands beside it, whose environment may be another. */
export const noteServiceSettings = async (
  config: ServiceSettings,
  { recall, resettle }: Pick<Storage, 'recall' | 'resettle'>,
): Promise<void> => {
  const own = JSON.stringify(sharedOf(config))
  if ((await recall(SERVICE_SETTINGS)) !== own) await resettle(SERVICE_SETTINGS, own)
}

/** Empty if no service was ever started. */
export const recallServiceSettings = async ({ recall }: Pick<Storage, 'recall'>): Promise<Partial<ServiceSettings>> =>
  JSON.parse((await recall(SERVICE_SETTINGS)) ?? '{}')

/** The names of the settings in which these are not those of the service. */
export const differingSettings = (config: ServiceSettings, service: Partial<ServiceSettings>): readonly string[] =>
  Object.entries(SHARED).flatMap(([key, name]) => {
    const known = service[key as keyof ServiceSettings]
    return known === undefined || known === config[key as keyof ServiceSettings] ? [] : [`ROLLCALL_${name}`]
  })
