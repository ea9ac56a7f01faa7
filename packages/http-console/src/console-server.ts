import http from 'node:http'
import type { Socket } from 'node:net'
import { ConnectionGuard, plainRefusal, statusOfUnread } from '@rollcall/platform-node'
import { createConsoleApp } from './app.ts'
import type { ConsoleOptions } from './console-options.ts'

// The application looks at the Host header field itself.
const SETTINGS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
}

/** With limits, so that no client holds up the service; what Node would answer by itself has a text. */
export const createConsoleServer = (options: ConsoleOptions): http.Server => {
  const { errors } = options.texts
  const server = http.createServer(SETTINGS)
  const guard = new ConnectionGuard(server)
  const handle = createConsoleApp(options).callback()
  server.on('request', (req, res) => guard.take(req, res, handle))
  const unread = { 400: errors.MalformedRequest, 408: errors.RequestTimeout, 431: errors.HeadersTooLarge }
  server.on('clientError', (error, socket) => {
    const status = statusOfUnread(error)
    guard.fail(error, socket as Socket, plainRefusal(status, unread[status]))
  })
  server.on('connect', (_, socket) => {
    guard.refuseTunnel(socket as Socket, plainRefusal(405, errors.MethodNotAllowed, { Allow: 'GET, HEAD, POST' }))
  })
  server.on('checkExpectation', (req: http.IncomingMessage, res) => {
    guard.take(req, res, () => plainRefusal(417, errors.ExpectationFailed).send(res))
  })
  return server
}
