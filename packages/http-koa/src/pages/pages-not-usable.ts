import { OperatorError } from '@rollcall/platform-node'

/** Pages cannot be made of what a deployer gave; `message` names the file and says what to correct. */
export class PagesNotUsable extends OperatorError {
  override readonly name = 'PagesNotUsable'
}
