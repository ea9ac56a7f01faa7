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
}

/** @throws {CliError} the options do not go together */
export const requireConsistent = ({ server, token, tokenFile, insecureHttp }: RemoteOptions): void => {
  if (token !== undefined && tokenFile !== undefined) throw usageError('Give --token or --token-file, not both.')
  if (server === undefined && (token ?? tokenFile ?? insecureHttp) !== undefined)
    throw usageError('--token, --token-file and --insecure-http go with --server, which says where to.')
}
