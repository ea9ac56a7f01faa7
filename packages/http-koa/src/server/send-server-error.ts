import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorResponseTo } from '../error-response.ts'
import { requestIdOf } from '../request-id.ts'

/** An answer that the application has no part in. The connection closes after it. */
export const sendServerError = (req: IncomingMessage, res: ServerResponse, error: Error): void => {
  const requestId = requestIdOf(req)
  const { status, headers, body } = errorResponseTo(error, requestId)
  res.writeHead(status, {
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
