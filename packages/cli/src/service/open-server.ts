import type { Readable } from 'node:stream'
import { isLoopback } from '@rollcall/platform-node'
import { usageError } from '../cli-error.ts'
import type { CliIo } from '../cli-host.ts'
import { LONGEST_TOKEN, readTokenFile, requirePrivate } from '../input-file.ts'
import { patientFetch } from './patient-fetch.ts'
import type { RetryOptions } from './retry-policy.ts'
import type { ServerOptions } from './server-options.ts'
import { Service } from './service.ts'

/** A service over the network, and who asks it. */
export const openServer = async (
  { server, insecureHttp = false, ...source }: ServerOptions & { readonly server: string },
  { stdin, signal }: Pick<CliIo, 'stdin' | 'signal'>,
  { note, version }: Pick<RetryOptions, 'note'> & { readonly version: string },
): Promise<{ readonly service: Service; readonly who: string }> => {
  const url = serverAddress(server, insecureHttp)
  const { tokenFile } = source
  const warning = tokenFile === undefined || tokenFile === '-' ? undefined : await requirePrivate(tokenFile)
  if (warning !== undefined) await note(`warning: ${warning}`)
  const token = await readToken(source, stdin, url)
  const service = new Service({ url, token, version, fetch: patientFetch(url, { signal, note }) })
  return { service, who: subjectIn(token) ?? 'bearer' }
}

/**
 * What the paths of a server begin with: its address, without a slash at the end.
 * @throws {CliError} it is not an address, or others on the network could read the token
 */
const serverAddress = (text: string, insecureHttp: boolean): string => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usageError('--server or ROLLCALL_SERVER: give the address of a server, such as https://news.example.com.')
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text))
    throw usageError(
      '--server or ROLLCALL_SERVER: give an address without a user, a query or a fragment. The token has its own option.',
    )
  if (url.protocol === 'http:' && !insecureHttp && !isLoopback(url.hostname))
    throw usageError(
      '--server or ROLLCALL_SERVER: use https, because over plain http others on the network can read the token; or add --insecure-http where you trust the network.',
    )
  return url.href.replace(/\/+$/, '')
}

const TOKEN = /^[\x21-\x7e]+$/

/**
 * The access token. No message contains it.
 * @throws {CliError} it is missing, cannot be read, or cannot be a token
 */
const readToken = async (
  { token, tokenFile, tokenIsFor }: Omit<ServerOptions, 'server'>,
  stdin: Readable,
  server: string,
): Promise<string> => {
  const text = token ?? (tokenFile === undefined ? '' : await readTokenFile(tokenFile, stdin))
  const read = text.trim()
  if (read === '' && tokenIsFor !== undefined)
    throw usageError(
      `ROLLCALL_TOKEN_FILE goes with ROLLCALL_SERVER, which is ${tokenIsFor}: give the token of ${server} by --token-file.`,
    )
  if (read === '')
    throw usageError(
      'A server needs an access token: give --token-file, or set ROLLCALL_TOKEN_FILE, with a file that holds one.',
    )
  if (read.length > LONGEST_TOKEN || !TOKEN.test(read))
    throw usageError('This is not an access token: it is too long, or has characters that no token has.')
  return read
}

/** The subject that the token claims. For display only: nothing is verified, and nothing is decided by it. */
const subjectIn = (token: string): string | undefined => {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    if (typeof claims !== 'object' || claims === null || !('sub' in claims)) return undefined
    return typeof claims.sub === 'string' ? claims.sub : undefined
  } catch (error) {
    // The tokens of some providers are opaque.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
