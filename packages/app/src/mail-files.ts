import { randomUUID } from 'node:crypto'
import { DAY, type Mail, type MailTransport, type Readers, type ShownMail, type SubscriptionId } from '@rollcall/core'
import type { FileTransport } from '@rollcall/mail'
import type { Storage } from './database.ts'
import type { Log } from './log.ts'
import { StartupError } from './startup-error.ts'

/**
 * Mails as files that are removed for sure: a file that cannot be removed with the erasure that it belongs to is named
 * in the log, and swept up as soon as that can be done. The erasure itself is done by then, and cannot be refused.
 */
export class MailFiles implements MailTransport {
  readonly keepsMails = true
  readonly domain: string
  readonly concurrency: number
  readonly #files: FileTransport
  readonly #log: Log
  /** A crash between an erasure and the removal of its files may have left some: so the first sweep is always due. */
  #sweepDue = true
  #sweptAt = 0
  #owner: string | undefined
  #claimed = false
  readonly #folder: string

  constructor(files: FileTransport, folder: string, log: Log) {
    this.#files = files
    this.#folder = folder
    this.#log = log
    this.domain = files.domain
    this.concurrency = files.concurrency
  }

  /**
   * To be called before mails are sent and swept.
   * @throws {StartupError} the files that are there belong to another database
   */
  async belongTo(storage: Pick<Storage, 'recall' | 'settle' | 'readers'>): Promise<void> {
    this.#owner = await requireOwnMails(this.#files, storage, this.#folder)
  }

  async send(mail: Mail, isDue?: () => Promise<boolean>): Promise<void> {
    await this.#claim()
    await this.#files.send(mail, isDue)
  }

  async show(mail: Mail): Promise<ShownMail> {
    return await this.#files.show(mail)
  }

  async forget(messageIds: readonly string[]): Promise<void> {
    try {
      await this.#files.forget(messageIds)
    } catch (error) {
      this.#sweepDue = true
      this.#log.error({ err: error }, 'mail files of an erased subscription could not be removed; trying again')
    }
  }

  /**
   * Removes every file whose subscription is gone, if there may be one, and once a day old previews. To be called every few
   * seconds.
   * @throws {Error} the files are of another database by now
   */
  async sweep(readers: Pick<Readers, 'subscriptions'>): Promise<void> {
    const now = Date.now()
    if (this.#owner === undefined || !(this.#sweepDue || Math.abs(now - this.#sweptAt) >= DAY)) return
    this.#sweepDue = false
    this.#sweptAt = now
    try {
      await this.#requireOwn()
      const swept = await this.#files.sweep(knownTo(readers))
      if (swept > 0) this.#log.info({ swept }, 'mail files without a subscription were removed')
    } catch (error) {
      this.#sweepDue = true
      throw error
    }
  }

  /** Before the first mail is there: none must ever be without an owner. */
  async #claim(): Promise<void> {
    if (this.#claimed || this.#owner === undefined) return
    if ((await this.#requireOwn()) === undefined) await this.#files.claim(this.#owner)
    this.#claimed = true
  }

  async #requireOwn(): Promise<string | undefined> {
    const owner = await this.#files.owner()
    if (owner === undefined || owner === this.#owner) return owner
    throw new Error('the mail files are those of another database by now; nothing is written or removed there')
  }

  async close(): Promise<void> {
    await this.#files.close()
  }
}

/** What the database calls itself towards its mail files. */
const OWNER_NAME = 'mail-owner'

type KnownMails = (id: SubscriptionId) => Promise<boolean>

const knownTo =
  ({ subscriptions }: Pick<Readers, 'subscriptions'>): KnownMails =>
  async (id) =>
    (await subscriptions.find(id)) !== undefined

/**
 * Sees that mail files are never taken for those of a database that they do not belong to: as it knows none of them, all
 * would be removed as mails of erased subscriptions. What the owner of the files is called from now on.
 * @throws {StartupError} they belong to another database, or cannot be used
 */
const requireOwnMails = async (
  files: Pick<FileTransport, 'claim' | 'owner' | 'ownership'>,
  { recall, settle, readers }: Pick<Storage, 'recall' | 'settle' | 'readers'>,
  folder: string,
): Promise<string> => {
  const marked = await files.owner().catch(notUsable(folder))
  const named = await recall(OWNER_NAME)
  if (marked !== undefined && marked === named) return named
  const ownership = await files.ownership(knownTo(readers))
  const isOther = marked !== undefined && named !== undefined
  if (ownership === 'unknown' || (ownership === 'known' && isOther)) throw new StartupError(othersIn(folder))
  // A database that takes over an empty folder must not count as its owner before.
  const inherited = ownership === 'known' ? marked : undefined
  const owner = named ?? (await settle(OWNER_NAME, inherited ?? randomUUID()))
  if (marked !== owner && (ownership === 'known' || marked !== undefined))
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
  `The mails in ${folder} belong to another database. Set ROLLCALL_DATABASE_URL to theirs, or ROLLCALL_DATA_DIR to another folder; or move that folder away, or remove it if they are not needed.`
