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

type InFolder = KeptKeys & { readonly file: string }

/** Where those are that no setting has. */
const placesOf = (config: Places): readonly InFolder[] =>
  KEPT_KEYS.filter(({ setting }) => config[setting] === undefined).map((keys) => ({
    ...keys,
    file: path.join(config.DATA_DIR, keys.name),
  }))

/** Where an identity provider issues the tokens, the first one for a directory makes keys of the service's own. */
const mayBeAbsent = ({ provider }: Places, { setting }: KeptKeys): boolean =>
  setting === 'SIGNING_KEYS' && provider !== undefined

/** Those that are kept in the data folder, or should be. */
export const keptInFolder = (config: Places): readonly InFolder[] =>
  placesOf(config).filter((keys) => !mayBeAbsent(config, keys) || existsSync(keys.file))

/** Those that are not there. @param held the names of those that a backup holds: they were there when it was made */
export const missingInFolder = (config: Places, held: ReadonlySet<string>): readonly InFolder[] =>
  placesOf(config).filter((keys) => !existsSync(keys.file) && (!mayBeAbsent(config, keys) || held.has(keys.name)))
