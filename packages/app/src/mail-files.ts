import type { Mail, MailTransport, Readers } from '@rollcall/core'
import type { FileTransport } from '@rollcall/mail'
import type { Log } from './log.ts'
import { knownTo, requireOwnMails } from './mail-owner.ts'
import type { Storage } from './storage.ts'

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

  async send(mail: Mail): Promise<void> {
    await this.#claim()
    await this.#files.send(mail)
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
   * Removes every file whose subscription is gone, if there may be one. To be called every few seconds.
   * @throws {Error} the files are of another database by now
   */
  async sweep(readers: Pick<Readers, 'subscriptions'>): Promise<void> {
    if (!this.#sweepDue || this.#owner === undefined) return
    this.#sweepDue = false
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
