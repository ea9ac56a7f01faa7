import { mkdir } from 'node:fs/promises'
import type { Cores } from '../command.ts'
import { Server } from '../server.ts'
import { issueToken, rollcall } from './rollcall.ts'
import { seedUsers } from './seed-users.ts'

/**
 * Makes a data folder to be copied for every repetition: keys, and users that are all there.
 * @returns an access token that those keys verify
 */
export const makeTemplate = async (
  folder: string,
  { subject, roles, users }: { subject: string; roles: readonly string[]; users: number },
  cores: Cores,
): Promise<string> => {
  await mkdir(folder, { recursive: true })
  await using server = await Server.start({ ...(await rollcall(folder, {})), core: cores.server })
  const token = await issueToken(folder, subject, ...roles)
  await seedUsers(server.url, token, users)
  await server.stop('SIGTERM')
  return token
}
