import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../config.ts'

interface KeptKeys {
  readonly setting: 'SECRET' | 'LINK_KEYS' | 'SIGNING_KEYS'
  /** Its name in the data folder, unless the setting is set. */
  readonly name: string
  /** What it costs to lose it. */
  readonly cost: string
}

/** What of the data folder a database is of less use without, or of none. */
const KEPT_KEYS: readonly KeptKeys[] = [
  { setting: 'SECRET', name: 'secret', cost: 'without it the database cannot be used' },
  {
    setting: 'LINK_KEYS',
    name: 'link-keys.json',
    cost: 'without it every link in mails that were sent is dead, those to unsubscribe included',
  },
  {
    setting: 'SIGNING_KEYS',
    name: 'signing-keys.json',
    cost: 'without it no access token that was issued is good any more',
  },
]

type Places = Pick<Config, 'DATA_DIR' | 'provider' | KeptKeys['setting']>

/** Those that are kept in the data folder: not by a setting, and not by an identity provider. */
export const keptInFolder = (config: Places): readonly (KeptKeys & { readonly file: string })[] =>
  KEPT_KEYS.filter(
    ({ setting }) => config[setting] === undefined && !(setting === 'SIGNING_KEYS' && config.provider !== undefined),
  ).map((keys) => ({ ...keys, file: path.join(config.DATA_DIR, keys.name) }))

/** Those of them that are not there. */
export const missingInFolder = (config: Places) => keptInFolder(config).filter(({ file }) => !existsSync(file))
