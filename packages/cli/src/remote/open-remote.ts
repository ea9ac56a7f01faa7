import type { Caller } from '@rollcall/core'
import type { OpenUseCases } from '../cli-host.ts'
import type { CliIo } from '../cli-io.ts'
import { ONLY_HERE } from './only-here.ts'
import type { PatienceOptions } from './patience.ts'
import { readToken } from './read-token.ts'
import { remoteDeletionPlan } from './remote-deletion-plan.ts'
import { remoteExports } from './remote-exports.ts'
import { remoteFeeds } from './remote-feeds.ts'
import { remoteImport } from './remote-import.ts'
import type { RemoteOptions } from './remote-options.ts'
import { RemoteServer } from './remote-server.ts'
import { remoteSubscriptions } from './remote-subscriptions.ts'
import { remoteTrail } from './remote-trail.ts'
import { remoteUsers } from './remote-users.ts'
import { remoteWebhooks } from './remote-webhooks.ts'
import { serverAddress } from './server-address.ts'
import { callerOf } from './token-caller.ts'

/** The use cases as a server carries them out. */
export const openRemote = async (
  { server, insecureHttp = false, ...source }: RemoteOptions & { readonly server: string },
  { stdin, signal }: Pick<CliIo, 'stdin' | 'signal'>,
  { note, version }: Pick<PatienceOptions, 'note'> & { readonly version: string },
): Promise<OpenUseCases & { readonly caller: Caller }> => {
  const address = serverAddress(server, { insecureHttp })
  const token = await readToken(source, stdin)
  const remote = new RemoteServer({ server: address, token, version, signal, note })
  const users = remoteUsers(remote)
  const useCases = {
    ...users,
    ...remoteDeletionPlan(remote, users),
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
