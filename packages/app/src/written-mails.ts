import { existsSync } from 'node:fs'
import path from 'node:path'
import { CliError, ExitCode } from '@rollcall/cli'
import type { WrittenMails } from '@rollcall/mail'
import type { Config } from './config.ts'
import { mailFolder } from './mail-transport.ts'
import { StartupError } from './startup-error.ts'

/**
 * @throws {CliError} mails are sent, not written
 * @throws {StartupError} there is no data folder
 */
export const writtenMails = async (config: Config): Promise<WrittenMails> => {
  const { SMTP_URL } = config
  if (SMTP_URL !== undefined)
    throw new CliError(
      `Mails are not files here: ROLLCALL_SMTP_URL has them sent by ${new URL(SMTP_URL).host}. \`rollcall outbox list\` shows those that are not sent yet.`,
      { name: 'MailsAreSent', exitCode: ExitCode.refused },
    )
  const { DATA_DIR } = config
  if (!existsSync(DATA_DIR))
    throw new StartupError(
      `There is no data folder ${path.resolve(DATA_DIR)}. Go to the folder of the service, or set ROLLCALL_DATA_DIR to its data folder.`,
    )
  const { WrittenMails } = await import('@rollcall/mail')
  return new WrittenMails(mailFolder(config))
}
