import { OperatorError } from '@rollcall/platform-node'

/** The service cannot start or go on as it is set up; `message` says what to do. */
export class StartupError extends OperatorError {
  override readonly name = 'StartupError'
}
