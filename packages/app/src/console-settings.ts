import { isLoopback } from '@rollcall/platform-node'
import { httpUrl } from './every-address.ts'
import { StartupError } from './startup-error.ts'

interface ConsoleValues {
  readonly CONSOLE_PORT?: number | undefined
  readonly CONSOLE_HOST: string
  readonly CONSOLE_URL?: string | undefined
  readonly CONSOLE_CLIENT_ID?: string | undefined
  readonly CONSOLE_CLIENT_SECRET?: string | undefined
  readonly AUTH_ISSUER?: string | undefined
}

/**
 * Where browsers find the console; undefined if there is none.
 * @throws {StartupError} the settings do not go together
 */
export const consoleUrlOf = (values: ConsoleValues): string | undefined => {
  const { CONSOLE_PORT: port, CONSOLE_HOST: host, CONSOLE_URL: given, CONSOLE_CLIENT_ID: client } = values
  if (client !== undefined && values.AUTH_ISSUER === undefined)
    throw new StartupError(
      'ROLLCALL_CONSOLE_CLIENT_ID is the console at an identity provider. Say which in ROLLCALL_AUTH_ISSUER, or leave it out.',
    )
  if (values.CONSOLE_CLIENT_SECRET !== undefined && client === undefined)
    throw new StartupError('ROLLCALL_CONSOLE_CLIENT_SECRET needs ROLLCALL_CONSOLE_CLIENT_ID. Set both, or neither.')
  if (port === undefined) return undefined
  if (given !== undefined) {
    const { protocol, hostname } = new URL(given)
    if (protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, '')))
      throw new StartupError('ROLLCALL_CONSOLE_URL: use https, because logins go over it; http is for loopback only.')
    return given
  }
  if (!isLoopback(host))
    throw new StartupError(
      'ROLLCALL_CONSOLE_HOST is reachable from outside, so say where browsers find the console: ROLLCALL_CONSOLE_URL=https://console.example.com',
    )
  return httpUrl(host, port)
}
