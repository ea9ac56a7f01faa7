import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createApp } from '../app.ts'
import { HttpError } from '../http-error.ts'
import type { HttpOptions } from '../http-options.ts'
import { closeListener } from './close-listener.ts'
import { Connections } from './connections.ts'
import { noSuchMethod } from './no-such-method.ts'
import { errorBytes, sendServerError } from './server-error.ts'

const SECOND = 1_000

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15 * SECOND,
  requestTimeout: 30 * SECOND,
  keepAliveTimeout: 65 * SECOND,
  connectionsCheckingInterval: SECOND,
} as const

// Longer than keepAliveTimeout; for a reader that takes nothing of its answer.
const SILENCE = 75 * SECOND

const connectionsOf = new WeakMap<Server, Connections>()

/** The application behind a server that also answers in JSON what Node would answer, or drop, by itself. */
export const createHttpServer = (options: HttpOptions): Server => {
  // The application asks for Host itself, in its own words.
  const server = createServer({ ...LIMITS, requireHostHeader: false })
  // Only their size is limited: beyond a count, Node would drop fields without a word.
  server.maxHeadersCount = 0
  server.setTimeout(SILENCE)
  // Who has said everything may say so (TCP knows half a close): Node would take it for a good-bye, and cut off answers.
  Object.assign(server, { httpAllowHalfOpen: true })
  const connections = new Connections(server)
  connectionsOf.set(server, connections)
  const handle = createApp(options).callback()
  const serve: RequestListener = (req, res) => {
    connections.begin(req, res)
    if (connections.refuses(req)) connections.refuse(req, res)
    else handle(req, res)
  }
  server.on('request', serve)
  // Whether the client may send its body is for the step that wants it to say.
  server.on('checkContinue', serve)
  server.on('checkExpectation', (req: IncomingMessage, res) => {
    connections.begin(req, res)
    sendServerError(req, res, new HttpError('ExpectationFailed', "Expect nothing but '100-continue'."))
  })
  server.on('connect', (_, socket: Duplex) => refuseTunnel(socket))
  server.on('clientError', (error, socket) => {
    options.log.debug({ code: 'code' in error ? error.code : undefined }, 'a request could not be read')
    if (socket instanceof Socket) connections.fail(error, socket)
    else socket.destroy()
  })
  return server
}

const refuseTunnel = (socket: Duplex): void => {
  socket.on('error', () => socket.destroy())
  socket.end(errorBytes(noSuchMethod()))
}

/** From now on `GET /readyz` says that it is not ready, and everything else goes on: whoever sends requests here may stop. */
export const announceDeparture = (server: Server): void => {
  connectionsOf.get(server)?.leave()
}

const POLL = 50
/** Milliseconds in which what was sent before its sender could know is still answered, with `Connection: close`. */
const LAST_CALL = 300

/**
 * Takes no new connections, answers what was on its way, finishes what is in flight, and closes. Resolves when every
 * connection is closed.
 * @param milliseconds after which whatever is still open is cut off
 * @returns whether everything came to its end by itself
 */
export const drain = async (server: Server, milliseconds: number): Promise<boolean> => {
  const connections = connectionsOf.get(server)
  connections?.callLast()
  let finished = true
  const deadline = setTimeout(() => {
    finished = false
    server.closeAllConnections()
  }, milliseconds)
  const { closed } = await closeListener(server)
  let poll: NodeJS.Timeout | undefined
  const lastCall = setTimeout(() => {
    connections?.drain()
    // The listener is closed already: this ends what else belongs to it.
    server.close(() => undefined)
    poll = setInterval(() => {
      // An exchange whose answer had begun leaves its connection open, and idle.
      server.closeIdleConnections()
      connections?.closeSilent()
    }, POLL)
  }, LAST_CALL)
  await closed
  clearTimeout(lastCall)
  clearInterval(poll)
  clearTimeout(deadline)
  return finished
}
