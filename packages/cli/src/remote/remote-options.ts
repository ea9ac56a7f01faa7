import { usageError } from '../cli-error.ts'

/** Where an access token comes from. */
export interface TokenSource {
  readonly token?: string | undefined
  /** `-` is standard input. */
  readonly tokenFile?: string | undefined
}

/** Where commands are carried out instead of here, and by whose right. */
export interface RemoteOptions extends TokenSource {
  readonly server?: string | undefined
  readonly insecureHttp?: boolean | undefined
  /** The command line does not name the server: the environment does. */
  readonly implied?: boolean | undefined
}

/** What the environment says of a server, for a command line that does not. */
export interface RemoteDefaults {
  /** `ROLLCALL_SERVER` */
  readonly server?: string | undefined
  /** `ROLLCALL_TOKEN_FILE` */
  readonly tokenFile?: string | undefined
}

/** The token of one server is never sent to another. */
export const withDefaults = (given: RemoteOptions, { server, tokenFile }: RemoteDefaults): RemoteOptions => {
  const options = given.server === undefined && server !== undefined ? { ...given, server, implied: true } : given
  const hasToken = (given.token ?? given.tokenFile) !== undefined
  const isTheirs = server === undefined || server === options.server
  return hasToken || options.server === undefined || !isTheirs ? options : { ...options, tokenFile }
}

/** @throws {CliError} the options do not go together */
export const requireConsistent = ({ server, token, tokenFile, insecureHttp }: RemoteOptions): void => {
  if (token !== undefined && tokenFile !== undefined) throw usageError('Give --token or --token-file, not both.')
  if (server === undefined && (token ?? tokenFile ?? insecureHttp) !== undefined)
    throw usageError(
      '--token, --token-file and --insecure-http go with --server or ROLLCALL_SERVER, which say where to.',
    )
}
