import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { errorResponseTo } from '../error-response.ts'
import { requestIdOf } from '../request-id.ts'

const answered = new WeakSet<ServerResponse>()

/** Whether an error says no more than that the server has answered before the application could. */
export const isTooLate = (error: unknown, res: ServerResponse): boolean =>
  answered.has(res) && error instanceof Error && 'code' in error && error.code === 'ERR_HTTP_HEADERS_SENT'

/** An answer that the application has no part in. The connection closes after it. */
export const sendServerError = (req: IncomingMessage, res: ServerResponse, error: Error): void => {
  answered.add(res)
  const requestId = requestIdOf(req)
  const { status, headers, body } = errorResponseTo(error, requestId)
  // Of an answer that was about to begin as a stream.
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
