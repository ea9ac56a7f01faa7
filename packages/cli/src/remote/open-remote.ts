import type { Readable } from 'node:stream'
import type { Caller } from '@rollcall/core'
import { isLoopback } from '@rollcall/platform-node'
import { onlyHereError, usageError } from '../cli-error.ts'
import type { CliIo, CliUseCases, OpenUseCases } from '../cli-host.ts'
import { LONGEST_TOKEN, readTokenFile, requirePrivate } from '../input-file.ts'
import { remoteEvents, remoteWebhooks } from './remote-events.ts'
import { remoteFeedback } from './remote-feedback.ts'
import { remoteFiles } from './remote-files.ts'
import type { RemoteOptions } from './remote-options.ts'
import { remoteRecipients } from './remote-recipients.ts'
import { RemoteServer, type RemoteUseCases } from './remote-server.ts'
import { remoteStats } from './remote-stats.ts'
import { remoteFeeds, remoteSubscriptions, remoteSuppressions } from './remote-subscriptions.ts'
import { remoteTokens } from './remote-tokens.ts'
import { remoteUsers } from './remote-users.ts'
import type { RetryOptions } from './retry-policy.ts'

/** The use cases as a server carries them out. */
export const openRemote = async (
  { server, insecureHttp = false, ...source }: RemoteOptions & { readonly server: string },
  { stdin, signal }: Pick<CliIo, 'stdin' | 'signal'>,
  { note, version }: Pick<RetryOptions, 'note'> & { readonly version: string },
): Promise<OpenUseCases & { readonly caller: Caller }> => {
  const address = serverAddress(server, insecureHttp)
  const { tokenFile } = source
  const warning = tokenFile === undefined || tokenFile === '-' ? undefined : await requirePrivate(tokenFile)
  if (warning !== undefined) await note(`warning: ${warning}`)
  const token = await readToken(source, stdin, address)
  const remote = new RemoteServer({ server: address, token, version, signal, note })
  const functions: RemoteUseCases = {
    ...remoteUsers(remote),
    ...remoteFeeds(remote),
    ...remoteSubscriptions(remote),
    ...remoteSuppressions(remote),
    ...remoteEvents(remote),
    ...remoteWebhooks(remote),
    ...remoteRecipients(remote),
    ...remoteTokens(remote),
    ...remoteFeedback(remote),
    ...remoteFiles(remote),
    ...remoteStats(remote),
    ...ONLY_HERE,
  }
  const entries = Object.entries(functions).map(([name, execute]) => [name, { execute }])
  return { useCases: Object.fromEntries(entries) as CliUseCases, caller: callerOf(token), close: async () => undefined }
}

const refused = (what: string) => async (): Promise<never> => {
  throw onlyHereError(what)
}

/** Use cases without an endpoint. */
const ONLY_HERE = {
  getFeedLogo: refused('Showing a preview'),
  previewMail: refused('Showing a preview'),
  sendPreview: refused('Sending a preview'),
  endConsoleSession: refused('Ending sessions of the console'),
  issueLoginLink: refused('Logging in to the console'),
  issueToken: refused('Issuing a token'),
  listConsoleSessions: refused('Listing sessions of the console'),
  listOutbox: refused('Listing the outbox'),
  listRequests: refused('Listing the outbox'),
  listUndeliveredEvents: refused('Listing the outbox'),
  recordReport: refused('Taking reports of mail servers'),
  retryEvent: refused('Retrying events'),
  retryOutbox: refused('Retrying mails'),
  retryRequest: refused('Retrying mails'),
  rotateKeys: refused('Rotating keys'),
  rotateSecret: refused('Rotating keys'),
  verifyAudit: refused('Verifying the audit trail'),
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
  { token, tokenFile, tokenIsFor }: Omit<RemoteOptions, 'server'>,
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

/** The caller by the token's own claim. For display only: nothing is verified, and nothing is decided by it. */
const callerOf = (token: string): Caller => {
  return { id: subjectIn(token) ?? 'bearer', roles: [], roleSource: 'token', channel: 'http' }
}

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
