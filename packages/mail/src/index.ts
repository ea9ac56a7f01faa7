export { createFileTransport, type FileTransport, type FileTransportOptions } from './file-transport.ts'
export {
  createImapMailbox,
  type ImapMailboxOptions,
  inspectImapMailbox,
  type MailboxStep,
  MailboxTrouble,
} from './imap-mailbox.ts'
export { createMailPreviews, type MailPreviewOptions } from './mail-previews.ts'
export { type MailSetting, MailSettingsNotUsable } from './mail-settings.ts'
export type { MailLink } from './parse-mail.ts'
export { RelayTrouble } from './relay.ts'
export { createReportParser } from './report-parser.ts'
export type { SmtpTimeouts } from './smtp-timeouts.ts'
export { createSmtpTransport, createThreadedSmtpTransport, type SmtpTransportOptions } from './smtp-transport.ts'
export { MailNotReadable, NotAMail, type WrittenMail, WrittenMails } from './written-mails.ts'
