import { usageError } from '../cli-error.ts'

interface TokenSource {
  readonly token?: string | undefined
  /** `-` is standard input. */
  readonly tokenFile?: string | undefined
}

/** Where commands are carried out instead of here, and by whose right. */
export interface ServerOptions extends TokenSource {
  readonly server?: string | undefined
  readonly insecureHttp?: boolean | undefined
  /** The command line does not name the server: the environment does. */
  readonly implied?: boolean | undefined
  /** The server that `ROLLCALL_TOKEN_FILE` is for, if that is another one. */
  readonly tokenIsFor?: string | undefined
}

/** What the environment says of a server, for a command line that does not. */
export interface ServerDefaults {
  /** `ROLLCALL_SERVER` */
  readonly server?: string | undefined
  /** `ROLLCALL_TOKEN_FILE` */
  readonly tokenFile?: string | undefined
}

/** The token of one server is never sent to another. */
export const withDefaults = (given: ServerOptions, { server, tokenFile }: ServerDefaults): ServerOptions => {
  const options = given.server === undefined && server !== undefined ? { ...given, server, implied: true } : given
  const hasToken = (given.token ?? given.tokenFile) !== undefined
  if (hasToken || options.server === undefined || tokenFile === undefined) return options
  if (server === undefined || plainAddress(server) === plainAddress(options.server)) return { ...options, tokenFile }
  return { ...options, tokenIsFor: plainAddress(server) }
}

/** An address as it is compared and shown: without a slash at its end, and without what may be secret. */
export const plainAddress = (text: string): string => {
  const url = URL.parse(text)
  return url === null ? text : `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`
}

/** @throws {CliError} the options do not go together */
export const requireConsistent = ({ server, token, tokenFile, insecureHttp }: ServerOptions): void => {
  if (token !== undefined && tokenFile !== undefined) throw usageError('Give --token or --token-file, not both.')
  if (server === undefined && (token ?? tokenFile ?? insecureHttp) !== undefined)
    throw usageError(
      '--token, --token-file and --insecure-http go with --server or ROLLCALL_SERVER, which say where to.',
    )
}
