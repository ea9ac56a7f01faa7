import { type CliError, usageError } from './cli-error.ts'

/** What to say where something is asked of a server that only its own machine can do. */
export const onlyHereError = (what: string): CliError =>
  usageError(`${what} is not done over HTTP. Run it on the machine of the service, without --server.`)
