export { createFileTransport, type FileTransport, type FileTransportOptions } from './file-transport.ts'
export { MailSettingsNotUsable } from './mail-settings-not-usable.ts'
export { RelayTrouble } from './relay-error.ts'
export { createSmtpTransport, type SmtpTimeouts, type SmtpTransportOptions } from './smtp-transport.ts'
