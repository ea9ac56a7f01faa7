import { SECOND } from '@rollcall/core'
import type { Check } from './check.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const TIMEOUT = 5 * SECOND
const EVERYWHERE: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** A server at the configured address, and whether it does its work. */
export const checkServer: Check = {
  name: 'server',
  run: async ({ config: { HOST, PORT } }) => {
    const host = EVERYWHERE.get(HOST) ?? HOST
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
    try {
      const signal = AbortSignal.timeout(TIMEOUT)
      return [await judged(await fetch(`${url}/readyz`, { redirect: 'manual', signal }), url)]
    } catch (error) {
      return [isAbsence(error) ? warning(`None runs at ${url}.`, 'Start it with `rollcall serve`.') : hung(url)]
    }
  },
}

const judged = async (response: Response, url: string): Promise<Finding> => {
  const body = parsed(await response.text())
  if (!response.headers.has('X-Request-Id') || !('outbox' in body))
    return failed(`Something else answers at ${url}.`, 'Stop it, or choose another port with ROLLCALL_PORT.')
  if (response.status === 200) return ok(`One runs at ${url}, and is ready.`)
  return failed(`One runs at ${url}, but is not ready (${JSON.stringify(body)}).`, 'See its log.')
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
