import type { Mail, MailTransport, Readers } from '@rollcall/core'
import type { FileTransport } from '@rollcall/mail'
import type { Log } from './log.ts'

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

  constructor(files: FileTransport, log: Log) {
    this.#files = files
    this.#log = log
    this.domain = files.domain
    this.concurrency = files.concurrency
  }

  async send(mail: Mail): Promise<void> {
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

  /** Removes every file whose subscription is gone, if there may be one. To be called every few seconds. */
  async sweep(readers: Pick<Readers, 'subscriptions'>): Promise<void> {
    if (!this.#sweepDue) return
    this.#sweepDue = false
    try {
      const swept = await this.#files.sweep(async (id) => (await readers.subscriptions.find(id)) !== undefined)
      if (swept > 0) this.#log.info({ swept }, 'mail files without a subscription were removed')
    } catch (error) {
      this.#sweepDue = true
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#files.close()
  }
}
