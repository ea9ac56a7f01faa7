import { randomUUID } from 'node:crypto'
import type { Readers, SubscriptionId } from '@rollcall/core'
import type { FileTransport } from '@rollcall/mail'
import { StartupError } from './startup-error.ts'
import type { Storage } from './storage.ts'

/** What the database calls itself towards its mail files. */
const NAME = 'mail-owner'

export type KnownMails = (id: SubscriptionId) => Promise<boolean>

export const knownTo =
  ({ subscriptions }: Pick<Readers, 'subscriptions'>): KnownMails =>
  async (id) =>
    (await subscriptions.find(id)) !== undefined

/**
 * Sees that mail files are never taken for those of a database that they do not belong to: as it knows none of them, all
 * would be removed as mails of erased subscriptions. What the owner of the files is called from now on.
 * @throws {StartupError} they belong to another database, or cannot be used
 */
export const requireOwnMails = async (
  files: Pick<FileTransport, 'claim' | 'owner' | 'standing'>,
  { recall, settle, readers }: Pick<Storage, 'recall' | 'settle' | 'readers'>,
  folder: string,
): Promise<string> => {
  const marked = await files.owner().catch(notUsable(folder))
  const named = await recall(NAME)
  if (marked !== undefined && marked === named) return named
  const standing = await files.standing(knownTo(readers))
  const isOther = marked !== undefined && named !== undefined
  if (standing === 'unknown' || (standing === 'known' && isOther)) throw new StartupError(othersIn(folder))
  // Whoever takes over an empty folder must not be taken for its owner before.
  const inherited = standing === 'known' ? marked : undefined
  const owner = named ?? (await settle(NAME, inherited ?? randomUUID()))
  if (marked !== owner && (standing === 'known' || marked !== undefined))
    await files.claim(owner).catch(notUsable(folder))
  return owner
}

const notUsable = (folder: string) => (error: unknown) => {
  const { code, message } = error as NodeJS.ErrnoException
  throw new StartupError(
    `The mail folder ${folder} cannot be used (${code ?? message}). Fix its permissions, make room on its disk, or set ROLLCALL_SMTP_URL.`,
    { cause: error },
  )
}

const othersIn = (folder: string): string =>
  `The mails in ${folder} belong to another database. Set ROLLCALL_DATABASE_URL to theirs, or ROLLCALL_DATA_DIR to another folder; or move that folder away, or remove it if nobody needs them.`
