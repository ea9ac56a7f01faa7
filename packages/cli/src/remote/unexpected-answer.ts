import { CliError, ExitCode } from '../cli-error.ts'

const UNEXPECTED_ANSWER = 'UnexpectedAnswer'

/** The server is not a Rollcall server, or has another version. */
export const unexpectedAnswer = (what: string): CliError =>
  new CliError(
    `This is not how a Rollcall server answers (${what}). Check the address given with --server; or the server is of another version.`,
    { name: UNEXPECTED_ANSWER, exitCode: ExitCode.unusable },
  )

/** The same error; where it is not Rollcall that answers, and the address has a path, it says what the path does. */
export const mentioningPath = (error: unknown, server: string): unknown => {
  const path = new URL(server).pathname
  if (path === '/' || !(error instanceof CliError) || error.name !== UNEXPECTED_ANSWER) return error
  const message = `${error.message} Every request went below '${path}': leave that out of --server, unless the service is there.`
  return new CliError(message, { name: error.name, exitCode: error.exitCode, cause: error })
}

/** @throws {CliError} it is not JSON; `what` says what came instead */
export const parsedJson = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw unexpectedAnswer(what)
    throw error
  }
}
