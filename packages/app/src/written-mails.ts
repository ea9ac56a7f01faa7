import { CliError, ExitCode } from '@rollcall/cli'
import type { WrittenMails } from '@rollcall/mail'
import type { Config } from './config.ts'
import { mailFolder } from './mail-transport.ts'

/** @throws {CliError} mails are sent, not written */
export const writtenMails = async (config: Config): Promise<WrittenMails> => {
  const { SMTP_URL } = config
  if (SMTP_URL !== undefined)
    throw new CliError(
      `Mails are not files here: ROLLCALL_SMTP_URL has them sent by ${new URL(SMTP_URL).host}. \`rollcall outbox list\` shows those that are not sent yet.`,
      { name: 'MailsAreSent', exitCode: ExitCode.refused },
    )
  const { WrittenMails } = await import('@rollcall/mail')
  return new WrittenMails(mailFolder(config))
}
