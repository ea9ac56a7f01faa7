import { CliError, ExitCode } from '../cli-error.ts'

/** A server that cannot be used now. */
export const serverError = (name: string, message: string, cause?: unknown): CliError =>
  new CliError(message, { name, exitCode: ExitCode.unusable, cause })

/** What answers at this address is no Rollcall server, or one of another version. */
export const unexpectedAnswer = (server: string, what: string): CliError => {
  const message = `This is not how a Rollcall server answers (${what}). Check the address given with --server; or the server is of another version.`
  const path = new URL(server).pathname
  if (path === '/') return serverError('UnexpectedAnswer', message)
  return serverError(
    'UnexpectedAnswer',
    `${message} Every request went below '${path}': leave that out of --server, unless the service is there.`,
  )
}
