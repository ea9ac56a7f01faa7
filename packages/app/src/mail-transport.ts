import { existsSync } from 'node:fs'
import path from 'node:path'
import type { MailTransport } from '@rollcall/core'
import type { MailSetting } from '@rollcall/mail'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { MailFiles } from './mail-files.ts'
import { StartupError } from './startup-error.ts'

/** What the options of the mail package are called here. */
const SETTING_OF = {
  from: 'ROLLCALL_MAIL_FROM',
  publicUrl: 'ROLLCALL_PUBLIC_URL',
  url: 'ROLLCALL_SMTP_URL',
} as const satisfies Record<MailSetting, string>

/**
 * Mails sent to a relay; or, if none is configured, written as files that the log names.
 * @throws {StartupError} naming the setting that cannot be used
 * @throws {MailSettingsNotUsable} a template cannot be used
 */
export const createMailTransport = async (config: Config, log: Log): Promise<MailTransport> => {
  const { createFileTransport, createThreadedSmtpTransport, MailSettingsNotUsable } = await import('@rollcall/mail')
  const common = { from: config.MAIL_FROM, publicUrl: config.publicUrl, templatesDir: templatesIn(config.DATA_DIR) }
  const onWritten = (file: string): void => {
    log.info({ file }, 'a mail was written to a file, as no ROLLCALL_SMTP_URL is set')
  }
  const onCrash = (error: unknown): void => {
    log.error({ err: error }, 'the thread that sends mails has ended; it is started again, and no mail is lost')
  }
  try {
    const { SMTP_URL: url, SMTP_TIMEOUTS: timeouts } = config
    if (url !== undefined) return createThreadedSmtpTransport({ ...common, url, timeouts }, onCrash)
    const folder = mailFolder(config)
    return new MailFiles(createFileTransport({ ...common, folder, onWritten }), folder, log)
  } catch (error) {
    if (!(error instanceof MailSettingsNotUsable) || error.setting === undefined) throw error
    throw new StartupError(`${SETTING_OF[error.setting]}: ${error.message}`, { cause: error })
  }
}

export const mailFolder = (config: Config): string => path.join(config.DATA_DIR, 'mail')

/** The folder of the deployer's templates, if there is one in this data folder. */
export const templatesIn = (dataFolder: string): string | undefined => {
  const folder = path.join(dataFolder, 'templates')
  return existsSync(folder) ? folder : undefined
}
