import { existsSync } from 'node:fs'
import path from 'node:path'
import type { MailTransport } from '@rollcall/core'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { MailFiles } from './mail-files.ts'
import { StartupError } from './startup-error.ts'

/**
 * Mails sent to a relay; or, where none is configured, written as files that the log names.
 * @throws {StartupError} naming the setting that cannot be used
 * @throws {MailSettingsNotUsable} a template cannot be used
 */
export const createMailTransport = async (config: Config, log: Log): Promise<MailTransport> => {
  try {
    return await create(config, log)
  } catch (error) {
    const setting = error instanceof Error ? settingBehind(error.message) : undefined
    if (setting === undefined) throw error
    throw new StartupError(`${setting}: ${(error as Error).message}`, { cause: error })
  }
}

const SETTINGS_BEHIND = [
  [/ is no sender of mails\b/, 'ROLLCALL_MAIL_FROM'],
  [/^The address of the mail relay\b/, 'ROLLCALL_SMTP_URL'],
] as const

// The mail package does not know what its options are called here.
const settingBehind = (message: string): string | undefined =>
  SETTINGS_BEHIND.find(([pattern]) => pattern.test(message))?.[1]

const create = async (config: Config, log: Log): Promise<MailTransport> => {
  const { createFileTransport, createSmtpTransport } = await import('@rollcall/mail')
  const templates = path.join(config.DATA_DIR, 'templates')
  const templatesDir = existsSync(templates) ? templates : undefined
  const common = { from: config.MAIL_FROM, publicUrl: config.publicUrl, templatesDir }
  if (config.SMTP_URL !== undefined) return createSmtpTransport({ ...common, url: config.SMTP_URL })
  const onWritten = (file: string): void => {
    log.info({ file }, 'a mail was written to a file, as no ROLLCALL_SMTP_URL is set')
  }
  const folder = mailFolder(config)
  return new MailFiles(createFileTransport({ ...common, folder, onWritten }), folder, log)
}

export const mailFolder = (config: Config): string => path.join(config.DATA_DIR, 'mail')
