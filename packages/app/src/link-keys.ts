import { existsSync } from 'node:fs'
import path from 'node:path'
import type { LinkKeys } from '@rollcall/core'
import { NOTHING_TO_WATCH, type Watch } from './access-tokens.ts'
import type { Config } from './config.ts'
import type { Storage } from './database.ts'
import { knownKey, requireKnownKeys } from './known-keys.ts'
import type { Log } from './log.ts'
import { LinkKeyFile, LinkKeySetting, type OwnLinkKeys } from './platform/link-keys.ts'
import { StartupError } from './startup-error.ts'

/** What the database remembers the link keys by. */
export const LINK_KEYS_NAME = 'link-keys'

/** What to do if they are not there, or others. */
export const OTHER_LINK_KEYS =
  'Put them back from where you keep a copy: without them every link in mails that were sent is dead, those to unsubscribe included; docs/reference/files.md says how to go on without.'

export const linkKeyFile = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => path.join(DATA_DIR, 'link-keys.json')

/**
 * The link keys that are configured or in the data folder; undefined if there are none yet. Makes none.
 * @throws {KeysNotUsable}
 */
export const existingLinkKeys = async (
  config: Pick<Config, 'DATA_DIR' | 'LINK_KEYS'>,
): Promise<OwnLinkKeys | undefined> =>
  config.LINK_KEYS !== undefined || existsSync(linkKeyFile(config)) ? await open(config) : undefined

const open = async (
  config: Pick<Config, 'DATA_DIR' | 'LINK_KEYS'>,
  remember?: Parameters<typeof LinkKeyFile.open>[1],
): Promise<OwnLinkKeys> =>
  config.LINK_KEYS === undefined
    ? await LinkKeyFile.open(linkKeyFile(config), remember)
    : new LinkKeySetting(config.LINK_KEYS)

/** Whether a database that remembers this may be used with these keys. */
export const areKnown = (known: string | undefined, { fingerprints }: OwnLinkKeys): boolean =>
  known === undefined || known.split(' ').some((one) => fingerprints.includes(one))

/**
 * The keys that this database is used with; made in the data folder on the first start.
 * @throws {StartupError} they are missing, or others
 * @throws {KeysNotUsable} they are damaged, open to others, or cannot be read or made
 */
export const openLinkKeys = async (config: Config, storage: Storage): Promise<LinkKeys> => {
  const file = linkKeyFile(config)
  const isSet = config.LINK_KEYS !== undefined
  if (!isSet && !existsSync(file) && (await storage.recall(LINK_KEYS_NAME)) !== undefined)
    throw new StartupError(`The link keys ${file} of this database are missing. ${OTHER_LINK_KEYS}`)
  const kept = async () => (await open(config)).fingerprints
  const keys = await open(config, (key, id) => knownKey(key, storage, { name: LINK_KEYS_NAME, id, kept }))
  const others = `${isSet ? 'ROLLCALL_LINK_KEYS' : `The link keys ${file}`} are not those that this database is used with. On several instances, give each the same ROLLCALL_LINK_KEYS, or share ROLLCALL_DATA_DIR. ${OTHER_LINK_KEYS}`
  await requireKnownKeys(storage, { name: LINK_KEYS_NAME, others }, keys.fingerprints)
  return keys
}

export const linkKeyWatchOf = (keys: LinkKeys, log: Log): Watch =>
  keys instanceof LinkKeyFile
    ? keys.watch((error) => log.error({ err: error }, 'the link keys cannot be used; the keys of before go on'))
    : NOTHING_TO_WATCH
