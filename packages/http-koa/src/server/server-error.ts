import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { errorResponseTo } from '../error-response.ts'
import { requestIdOf } from '../request-id.ts'

const answered = new WeakSet<ServerResponse>()

/** Whether an error only says that the server answered before the application could. */
export const isTooLate = (error: unknown, res: ServerResponse): boolean =>
  answered.has(res) && error instanceof Error && 'code' in error && error.code === 'ERR_HTTP_HEADERS_SENT'

/** An error response that the server sends without the application. The connection closes after it. */
export const sendServerError = (req: IncomingMessage, res: ServerResponse, error: Error): void => {
  answered.add(res)
  const requestId = requestIdOf(req)
  const { status, headers, body } = errorResponseTo(error, requestId)
  // Left over from a response that was about to start as a stream.
  for (const name of ['Transfer-Encoding', 'Content-Disposition']) res.removeHeader(name)
  res.writeHead(status, STATUS_CODES[status], {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    ...headers,
    Connection: 'close',
  })
  res.end(body)
}

/** A whole error response as bytes, for a request that has no ServerResponse. Its connection has to be closed. */
export const errorBytes = (error: Error): string => {
  const requestId = randomUUID()
  const { status, headers, body } = errorResponseTo(error, requestId)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
