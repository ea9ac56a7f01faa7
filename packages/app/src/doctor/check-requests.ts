import { SECOND } from '@rollcall/core'
import { isLoopback } from '@rollcall/platform-node'
import type { Config } from '../config.ts'
import { databaseOf } from '../database.ts'
import { EVERY_ADDRESS, httpUrl } from '../every-address.ts'
import { type Check, type Finding, failed, ok, warning } from './check.ts'

const DKIM =
  'Mail programs offer to unsubscribe with one click only where the relay signs with DKIM: a mail that came in says dkim=pass.'

/** What links in mails begin with: one-click unsubscription works over https alone (RFC 8058 section 3.1). */
export const checkPublicUrl: Check = {
  name: 'public address',
  run: async ({ config: { publicUrl } }) => {
    const { protocol, hostname } = new URL(publicUrl)
    if (protocol === 'https:') return [ok(`${publicUrl} is good for one-click unsubscription.`, DKIM)]
    const remedy = 'Set ROLLCALL_PUBLIC_URL to what the world calls this service, beginning with https.'
    return [
      isLoopback(hostname)
        ? warning(`Links in mails lead to ${publicUrl}, which is another place for everybody else.`, remedy)
        : warning(`${publicUrl} is not https: no mail program offers to unsubscribe with one click.`, remedy),
    ]
  },
}

/** Whether clients can be distinguished, and are limited. */
export const checkClients: Check = {
  name: 'clients',
  run: async ({ config: { HOST, RATE_LIMIT, TRUST_PROXY, publicUrl } }) => {
    const { protocol, hostname } = new URL(publicUrl)
    const findings: Finding[] = []
    if (RATE_LIMIT === 'off')
      findings.push(
        warning(
          'They may send forms as often as they like.',
          'Leave out ROLLCALL_RATE_LIMIT, unless a proxy limits them.',
        ),
      )
    // This service speaks no TLS, and what listens for this machine alone is not what the world reaches.
    const isBehindProxy = !isLoopback(hostname) && (protocol === 'https:' || isLoopback(HOST))
    if (isBehindProxy && TRUST_PROXY === 0)
      findings.push(
        warning(
          'A proxy stands in front, and its address is taken for that of every client.',
          'Set ROLLCALL_TRUST_PROXY to the number of proxies, such as 1: else all clients share one limit of requests and one of addresses, and the ledger of consent has the wrong address.',
        ),
      )
    return findings.length > 0 ? findings : [ok('They are distinguished by address, and limited.')]
  },
}

/** `/readyz` takes 8 s at most, while a database says nothing. */
const TIMEOUT = 10 * SECOND

/** A server at the configured address, and whether it does its work. */
export const lookAtServer = async (config: Config): Promise<Finding> => {
  const { HOST, PORT } = config
  const host = EVERY_ADDRESS.get(HOST) ?? HOST
  const url = httpUrl(host, PORT)
  try {
    const signal = AbortSignal.timeout(TIMEOUT)
    return await judged(await fetch(`${url}/readyz`, { redirect: 'manual', signal }), url, config)
  } catch (error) {
    return isAbsence(error) ? warning(`None runs at ${url}.`, 'Start it with `rollcall serve`.') : hung(url)
  }
}

export const checkServer: Check = {
  name: 'server',
  run: async ({ config }) => [await lookAtServer(config)],
}

const judged = async (response: Response, url: string, config: Config): Promise<Finding> => {
  const body = parsed(await response.text())
  const isOurs = response.headers.has('X-Request-Id')
  if (isOurs && response.status === 503 && 'error' in body && body.error === 'Unavailable')
    return warning(
      `A Rollcall service that answers at ${url} is stopping.`,
      'Ask again once it has stopped or started.',
    )
  if (!isOurs || !('outbox' in body))
    return failed(`Something else answers at ${url}.`, 'Stop it, or choose another port with ROLLCALL_PORT.')
  const served = await databaseOf(config).isServed()
  if (served === false) {
    const [database, where] =
      config.postgresUrl === undefined
        ? [config.databaseFile, 'ROLLCALL_DATA_DIR']
        : ['the database that is set here', 'ROLLCALL_DATABASE_URL']
    return warning(
      `A Rollcall service answers at ${url}, but not for ${database}: no process serves that.`,
      `Go to the folder of that service, or set ${where}; or start another with \`rollcall serve\`, at its own ROLLCALL_PORT.`,
    )
  }
  // Where it cannot be seen, it may be that of another folder.
  const one = served ? 'One runs' : 'A Rollcall service runs'
  if (response.status === 200) return ok(`${one} at ${url}, and is ready.`)
  return failed(`${one} at ${url}, but is not ready (${JSON.stringify(body)}).`, 'See its log.')
}

const hung = (url: string): Finding => failed(`What listens at ${url} gives no answer.`, 'See what it is, and its log.')

const parsed = (text: string): object => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

const isAbsence = (error: unknown): boolean =>
  error instanceof TypeError && String(Object(error.cause).code) === 'ECONNREFUSED'
