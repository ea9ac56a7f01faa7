import type { Caller } from '@rollcall/core'
import { onlyHereError } from '../cli-error.ts'
import type { CliIo, CliUseCases, OpenUseCases } from '../cli-host.ts'
import { remoteExports } from './remote-exports.ts'
import { remoteFeeds } from './remote-feeds.ts'
import { remoteImport } from './remote-import.ts'
import type { RemoteOptions } from './remote-options.ts'
import { RemoteServer } from './remote-server.ts'
import { remoteSubscriptions } from './remote-subscriptions.ts'
import { remoteTrail } from './remote-trail.ts'
import { remoteUsers } from './remote-users.ts'
import { remoteWebhooks } from './remote-webhooks.ts'
import type { RetryOptions } from './retry-policy.ts'
import { callerOf, readToken, serverAddress } from './server-access.ts'

/** The use cases as a server carries them out. */
export const openRemote = async (
  { server, insecureHttp = false, ...source }: RemoteOptions & { readonly server: string },
  { stdin, signal }: Pick<CliIo, 'stdin' | 'signal'>,
  { note, version }: Pick<RetryOptions, 'note'> & { readonly version: string },
): Promise<OpenUseCases & { readonly caller: Caller }> => {
  const address = serverAddress(server, { insecureHttp })
  const token = await readToken(source, stdin)
  const remote = new RemoteServer({ server: address, token, version, signal, note })
  const useCases = {
    ...remoteUsers(remote),
    ...remoteFeeds(remote),
    ...remoteSubscriptions(remote),
    ...remoteTrail(remote),
    ...remoteWebhooks(remote),
    ...remoteExports(remote),
    ...remoteImport(remote),
    ...ONLY_HERE,
  }
  return { useCases, caller: callerOf(token), close: async () => undefined }
}

const refused = (what: string) => ({
  execute: async (): Promise<never> => {
    throw onlyHereError(what)
  },
})

type OnlyHere = Pick<
  CliUseCases,
  'issueToken' | 'listOutbox' | 'listUndeliveredEvents' | 'retryEvent' | 'retryOutbox' | 'rotateKeys' | 'verifyAudit'
>

/** Use cases without an endpoint. */
const ONLY_HERE: OnlyHere = {
  issueToken: refused('Issuing a token'),
  listOutbox: refused('Listing the outbox'),
  listUndeliveredEvents: refused('Listing the outbox'),
  retryEvent: refused('Retrying events'),
  retryOutbox: refused('Retrying mails'),
  rotateKeys: refused('Rotating keys'),
  verifyAudit: refused('Verifying the audit trail'),
}
