export { createFileTransport, type FileTransport, type FileTransportOptions } from './file-transport.ts'
export { type MailSetting, MailSettingsNotUsable } from './mail-settings.ts'
export { RelayTrouble, type SmtpTimeouts } from './relay.ts'
export { createSmtpTransport, type SmtpTransportOptions } from './smtp-transport.ts'
