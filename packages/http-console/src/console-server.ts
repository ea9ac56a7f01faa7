import http from 'node:http'
import type { Duplex } from 'node:stream'
import { hasErrorCode } from '@rollcall/platform-node'
import { createConsoleApp } from './app.ts'
import type { ConsoleOptions } from './console-options.ts'

// The application looks at the Host header field itself.
const SETTINGS = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 5_000, requireHostHeader: false }

/** With time limits, so that a client that does nothing holds no connection; what Node would answer by itself has a text. */
export const createConsoleServer = (options: ConsoleOptions): http.Server => {
  const { errors } = options.texts
  const server = http.createServer(SETTINGS, createConsoleApp(options).callback())
  server.on('clientError', (error, socket) => {
    if (hasErrorCode(error, 'ECONNRESET') || !socket.writable) socket.destroy()
    else if (hasErrorCode(error, 'ERR_HTTP_REQUEST_TIMEOUT')) refuse(socket, 408, errors.RequestTimeout)
    else if (hasErrorCode(error, 'HPE_HEADER_OVERFLOW')) refuse(socket, 431, errors.HeadersTooLarge)
    else refuse(socket, 400, errors.MalformedRequest)
  })
  server.on('connect', (_, socket) => refuse(socket, 405, errors.MethodNotAllowed, ['Allow: GET, HEAD, POST']))
  server.on('checkExpectation', (_, response) => {
    response.writeHead(417, { 'Content-Type': TYPE, Connection: 'close' })
    response.end(errors.ExpectationFailed)
  })
  return server
}

const TYPE = 'text/plain; charset=utf-8'

const refuse = (socket: Duplex, status: number, text: string, headers: readonly string[] = []): void => {
  socket.on('error', () => socket.destroy())
  const fields = [
    `Content-Type: ${TYPE}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    ...headers,
  ]
  socket.end([`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`, ...fields, '', text].join('\r\n'))
}
