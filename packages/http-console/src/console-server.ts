import http from 'node:http'
import { guardServer } from '@rollcall/platform-node'
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
  const server = http.createServer(SETTINGS)
  const { errors } = options.texts
  const texts = {
    400: errors.MalformedRequest,
    405: errors.MethodNotAllowed,
    408: errors.RequestTimeout,
    417: errors.ExpectationFailed,
    431: errors.HeadersTooLarge,
  }
  guardServer(server, createConsoleApp(options).callback(), 'GET, HEAD, POST', (status) => texts[status])
  return server
}
