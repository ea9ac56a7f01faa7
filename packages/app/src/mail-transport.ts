import { existsSync } from 'node:fs'
import path from 'node:path'
import type { MailTransport } from '@rollcall/core'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { MailFiles } from './mail-files.ts'

/** Mails sent to a relay; or, where none is configured, written as files that the log names. */
export const createMailTransport = async (config: Config, log: Log): Promise<MailTransport> => {
  const { createFileTransport, createSmtpTransport } = await import('@rollcall/mail')
  const templates = path.join(config.DATA_DIR, 'templates')
  const templatesDir = existsSync(templates) ? templates : undefined
  const common = { from: config.MAIL_FROM, publicUrl: config.publicUrl, templatesDir }
  if (config.SMTP_URL !== undefined) return createSmtpTransport({ ...common, url: config.SMTP_URL })
  const onWritten = (file: string): void => {
    log.info({ file }, 'a mail was written to a file, as no ROLLCALL_SMTP_URL is set')
  }
  return new MailFiles(createFileTransport({ ...common, folder: mailFolder(config), onWritten }), log)
}

export const mailFolder = (config: Config): string => path.join(config.DATA_DIR, 'mail')
