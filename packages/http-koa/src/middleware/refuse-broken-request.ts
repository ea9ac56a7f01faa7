import type { IncomingMessage } from 'node:http'
import { MalformedRequest } from '@rollcall/core'
import type { Context } from '../exchange.ts'
import { isHost } from '../reading/is-host.ts'

/** Refuses malformed requests that Node lets through, and closes the connection: where such a request ends is unclear. */
export const refuseBrokenRequest = ({ req, res }: Context): void => {
  const problem = framingProblem(req) ?? targetProblem(req.method, req.url ?? '')
  if (problem === undefined) return
  res.setHeader('Connection', 'close')
  throw new MalformedRequest(problem)
}

const SINGLE_FIELDS: ReadonlySet<string> = new Set(['host', 'content-type', 'authorization'])
const SINGLE_FIELD_LENGTHS: ReadonlySet<number> = new Set([...SINGLE_FIELDS].map(({ length }) => length))

const framingProblem = ({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined => {
  if (httpVersion === '1.1') {
    if (headers.host === undefined) return 'Send a Host header field.'
  } else if (httpVersion !== '1.0') return 'Use HTTP/1.1.'
  if (headers.host !== undefined && !isHost(headers.host))
    return 'Send a valid Host header field: a host, and optionally a port.'
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    if (httpVersion === '1.0') return 'Use HTTP/1.1 to send a body in chunks.'
    // Node takes off the chunks and leaves every other coding on, silently.
    if (coding.toLowerCase() !== 'chunked') return 'Use no other Transfer-Encoding than chunked.'
  }
  return repeatedField(rawHeaders)
}

const repeatedField = (rawHeaders: readonly string[]): string | undefined => {
  let seen = ''
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const field = rawHeaders[i] ?? ''
    if (!SINGLE_FIELD_LENGTHS.has(field.length)) continue
    const name = field.toLowerCase()
    if (!SINGLE_FIELDS.has(name)) continue
    if (seen.includes(name)) return `Send the header field ${field} once.`
    seen += `${name} `
  }
  return undefined
}

const targetProblem = (method: string | undefined, target: string): string | undefined => {
  if (target.includes('#')) return 'Leave out the fragment: it must not be sent to a server.'
  if (target === '*' && method === 'OPTIONS') return undefined
  if (!target.startsWith('/')) return 'Request a path that begins with a slash.'
  if (!target.includes('%')) return undefined
  const query = target.indexOf('?')
  try {
    decodeURIComponent(query < 0 ? target : target.slice(0, query))
    return undefined
  } catch {
    return 'Correct the percent escapes in the path: they must be UTF-8.'
  }
}
