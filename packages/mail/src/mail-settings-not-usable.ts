import { OperatorError, type OperatorErrorOptions } from '@rollcall/platform-node'

/** The options of this package that an error can be about. */
export type MailSetting = 'from' | 'publicUrl' | 'url'

/** Mail cannot be sent as it is set up; `message` says what to correct, and holds no credentials. */
export class MailSettingsNotUsable extends OperatorError {
  override readonly name = 'MailSettingsNotUsable'
  declare readonly setting: MailSetting | undefined

  constructor(message: string, options?: OperatorErrorOptions & { readonly setting?: MailSetting | undefined }) {
    super(message, options)
  }
}
