import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { hasErrorCode } from '../error-code.ts'

/** An answer that closes its connection: as bytes, or on the response to a request of the connection. */
export interface Refusal {
  readonly bytes: () => string
  readonly send: (res: ServerResponse<IncomingMessage>) => void
}

/** The status for what Node could not read as a request. */
export const statusOfUnread = (error: Error): 400 | 408 | 431 => {
  if (hasErrorCode(error, 'ERR_HTTP_REQUEST_TIMEOUT')) return 408
  return hasErrorCode(error, 'HPE_HEADER_OVERFLOW') ? 431 : 400
}

/** A refusal with a text for people. */
export const plainRefusal = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Refusal => {
  const fields = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
    Connection: 'close',
  }
  return {
    bytes: () => {
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
      return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n')
    },
    send: (res) => {
      res.writeHead(status, fields).end(text)
    },
  }
}
