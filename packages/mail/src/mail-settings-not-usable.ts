/** Mail cannot be sent as it is set up; `message` says what to correct, and holds no credentials. */
export class MailSettingsNotUsable extends Error {
  override readonly name = 'MailSettingsNotUsable'
}
