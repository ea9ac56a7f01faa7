import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { errorResponseTo } from '../error-response.ts'

/** A whole answer as bytes, for a request that came to no ServerResponse. Its connection has to be closed. */
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
