import { existsSync } from 'node:fs'
import path from 'node:path'
import type { MailTransport, Readers } from '@rollcall/core'
import type { FileTransport } from '@rollcall/mail'
import type { Config } from './config.ts'
import type { Log } from './log.ts'

/** Mails sent to a relay; or, where none is configured, written as files that the log names. */
export const createMailTransport = async (config: Config, log: Log): Promise<MailTransport> => {
  const { createFileTransport, createSmtpTransport } = await import('@rollcall/mail')
  const templates = path.join(config.DATA_DIR, 'templates')
  const templatesDir = existsSync(templates) ? templates : undefined
  const common = { from: config.MAIL_FROM, publicUrl: config.publicUrl, templatesDir }
  if (config.SMTP_URL !== undefined) return createSmtpTransport({ ...common, url: config.SMTP_URL })
  return createFileTransport({
    ...common,
    folder: mailFolder(config),
    onWritten: (file) => log.info({ file }, 'a mail was written to a file, as no ROLLCALL_SMTP_URL is set'),
  })
}

export const mailFolder = (config: Config): string => path.join(config.DATA_DIR, 'mail')

/** Removes mail files whose subscription is gone: a crash between an erasure and its last step leaves them behind. */
export const sweepMails = async (transport: MailTransport, readers: Readers, log: Log): Promise<void> => {
  if (!isFileTransport(transport)) return
  try {
    const swept = await transport.sweep(async (id) => (await readers.subscriptions.find(id)) !== undefined)
    if (swept > 0) log.info({ swept }, 'mail files without a subscription were removed')
  } catch (error) {
    log.error({ err: error }, 'the mail folder could not be swept; the next start tries again')
  }
}

const isFileTransport = (transport: MailTransport): transport is FileTransport => 'sweep' in transport
