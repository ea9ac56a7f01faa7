import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { ConnectionGuard } from './connection-guard.ts'
import { plainRefusal, statusOfUnread } from './refusal.ts'

type RefusedStatus = 400 | 405 | 408 | 417 | 431
type TextOf = (status: RefusedStatus) => string

/** Has requests handled by way of a `ConnectionGuard`, and refuses in plain text what Node would answer by itself. */
export const guardServer = (server: Server, handle: RequestListener, allow: string, textOf: TextOf): void => {
  const guard = new ConnectionGuard(server)
  const refusal = (status: RefusedStatus, headers = {}) => plainRefusal(status, textOf(status), headers)
  server.on('request', (req, res) => guard.take(req, res, handle))
  server.on('checkExpectation', (req: IncomingMessage, res) => guard.take(req, res, () => refusal(417).send(res)))
  server.on('connect', (_, socket) => guard.refuseTunnel(socket as Socket, refusal(405, { Allow: allow })))
  server.on('clientError', (error, socket) => guard.fail(error, socket as Socket, refusal(statusOfUnread(error))))
}
