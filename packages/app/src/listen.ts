import { once } from 'node:events'
import type { Server } from 'node:http'
import { StartupError } from './startup-error.ts'

/** Where a server listens, and the names of the settings that say so. */
export interface Endpoint {
  readonly host: string
  readonly port: number
  readonly hostSetting: string
  readonly portSetting: string
}

/** @throws {StartupError} it cannot listen there; the message names the setting to change */
export const listen = async (server: Server, { host, port, hostSetting, portSetting }: Endpoint): Promise<void> => {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    const remedies: Readonly<Record<string, string>> = {
      EADDRINUSE: `Something else listens there: stop it, or choose another with ${portSetting}.`,
      EACCES: `This user may not: choose a port above 1023 with ${portSetting}.`,
      EADDRNOTAVAIL: `This machine has no such address: choose another with ${hostSetting}.`,
      ENOTFOUND: `This name has no address: choose another with ${hostSetting}.`,
    }
    throw new StartupError(`Cannot listen on ${host}:${port} (${code}). ${remedies[code] ?? ''}`.trimEnd(), { cause })
  }
}
