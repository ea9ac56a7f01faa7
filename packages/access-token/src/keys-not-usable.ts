import { OperatorError } from '@rollcall/platform-node'

/** The signing keys cannot be used as they are; `message` says what to do, and never what is in them. */
export class KeysNotUsable extends OperatorError {
  override readonly name = 'KeysNotUsable'
}
