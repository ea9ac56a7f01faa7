import { CliError } from '../cli-error.ts'
import { ExitCode } from '../exit-code.ts'
import { connectionTrouble } from './connection-trouble.ts'

/** An answer that broke off after it had begun; whatever else was thrown stays as it is. */
export const lostPiece = (server: string, error: unknown): unknown => {
  const trouble = connectionTrouble(error)
  if (trouble === undefined) return error
  const message = `The answer of ${server} broke off in the middle (${trouble.code}). What came is not all: run the command again.`
  return new CliError(message, { name: 'ConnectionLost', exitCode: ExitCode.unusable, cause: error })
}
