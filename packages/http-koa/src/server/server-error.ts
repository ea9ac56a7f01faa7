import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { MalformedRequest } from '@rollcall/core'
import { hasErrorCode, requestIdOf } from '@rollcall/platform-node'
import { errorResponseTo, HttpError } from '../error-response.ts'
import { everyMethod, KNOWN_METHODS } from '../middleware/fallbacks.ts'

const answered = new WeakSet<ServerResponse>()

/** Whether an error only says that the server answered before the application could. */
export const isTooLate = (error: unknown, res: ServerResponse): boolean =>
  answered.has(res) && hasErrorCode(error, 'ERR_HTTP_HEADERS_SENT')

/** An error response that the server sends without the application. The connection closes after it. */
export const sendServerError = (req: IncomingMessage, res: ServerResponse, error: Error): void => {
  answered.add(res)
  const { status, headers, body } = completeResponseTo(error, requestIdOf(req))
  // Left over from a response that was about to start as a stream.
  for (const name of ['Transfer-Encoding', 'Content-Disposition']) res.removeHeader(name)
  // Set before, it can be read afterwards: no request begins behind it.
  res.setHeader('Connection', 'close')
  res.writeHead(status, STATUS_CODES[status], headers)
  res.end(body)
}

/** A whole error response as bytes, for a request that has no ServerResponse. Its connection has to be closed. */
export const errorBytes = (error: Error): string => {
  const { status, headers, body } = completeResponseTo(error, randomUUID())
  const fields = Object.entries({ Date: new Date().toUTCString(), ...headers })
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields.map(([name, value]) => `${name}: ${value}`)]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** With all header fields but the date, which Node adds by itself. */
const completeResponseTo = (error: Error, requestId: string) => {
  const { status, headers, body } = errorResponseTo(error, requestId)
  const all = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    ...headers,
    Connection: 'close',
  }
  return { status, headers: all, body }
}

/** Node's error for bytes that it could not parse as a request. */
export interface ParseError extends Error {
  readonly code?: string
  /** The last bytes received, and how many of them were parsed. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** What is wrong with bytes that Node could not parse as a request. */
export const parseFailure = (error: ParseError, trace: boolean): Error => {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError('RequestTimeout', 'The request took too long to arrive. Send it again, faster.')
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('HeadersTooLarge', 'Send at most 16 KiB of header fields.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpError('PayloadTooLarge', 'Leave out the chunk extensions.')
    case 'HPE_INVALID_METHOD':
      return hasUnknownMethod(error)
        ? noSuchMethod(trace)
        : new MalformedRequest(
            'This does not begin as an HTTP/1.1 request, or its method is not known. Correct it and send it again.',
          )
    case 'HPE_INVALID_CONSTANT':
      return hasUnknownMethod(error) ? noSuchMethod(trace) : notHttp()
    default:
      return notHttp()
  }
}

export const noSuchMethod = (trace: boolean): HttpError => {
  const allow = everyMethod(trace).join(', ')
  return new HttpError('MethodNotAllowed', `Use one of these methods: ${allow}.`, { Allow: allow })
}

const notHttp = () =>
  new MalformedRequest('This is not a valid HTTP/1.1 request (RFC 9112). Correct it and send it again.')

const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) [^\s]+ HTTP\/1\.[01]$/

/** Whether the line at which Node stopped is valid except for its method. */
const hasUnknownMethod = ({ rawPacket, bytesParsed = 0 }: ParseError): boolean => {
  if (rawPacket === undefined) return false
  const before = rawPacket.lastIndexOf('\r\n', bytesParsed)
  const begin = before < 0 ? 0 : before + 2
  const end = rawPacket.indexOf('\r\n', begin)
  if (end < 0) return false
  const method = REQUEST_LINE.exec(rawPacket.toString('latin1', begin, end))?.[1]
  return method !== undefined && !KNOWN_METHODS.includes(method)
}
