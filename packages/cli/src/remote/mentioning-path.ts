import { CliError } from '../cli-error.ts'
import { UNEXPECTED_ANSWER } from './unexpected-answer.ts'

/** The same error; where a stranger answers, and the address has a path, it says what the path does. */
export const mentioningPath = (error: unknown, server: string): unknown => {
  const path = new URL(server).pathname
  if (path === '/' || !(error instanceof CliError) || error.name !== UNEXPECTED_ANSWER) return error
  const message = `${error.message} Every request went below '${path}': leave that out of --server, unless the service is there.`
  return new CliError(message, { name: error.name, exitCode: error.exitCode, cause: error })
}
