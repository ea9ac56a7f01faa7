import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import net, { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { STRICT_TRANSPORT } from '@rollcall/platform-node'
import { createApp } from '../app.ts'
import { HttpError } from '../error-response.ts'
import type { HttpOptions } from '../http-options.ts'
import { Connections } from './connections.ts'
import { sendServerError } from './server-error.ts'

const SECOND = 1_000

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15 * SECOND,
  requestTimeout: 30 * SECOND,
  keepAliveTimeout: 65 * SECOND,
  connectionsCheckingInterval: SECOND,
} as const

const connectionsOf = new WeakMap<Server, Connections>()

/** A server for the application that also answers in JSON what Node would answer, or drop, by itself. */
export const createHttpServer = (options: HttpOptions): Server => {
  // The application checks the Host header field itself.
  const server = createServer({ ...LIMITS, requireHostHeader: false })
  // A client may half-close its connection after its last request: Node would close it, and cut off responses.
  Object.assign(server, { httpAllowHalfOpen: true })
  const connections = new Connections(server, options.trace)
  connectionsOf.set(server, connections)
  const handle = createApp(options).callback()
  const serve: RequestListener = (req, res) => {
    // Not in the application, which may be a guest on the host's own address.
    if (options.publicUrl.startsWith('https:')) res.setHeader('Strict-Transport-Security', STRICT_TRANSPORT)
    connections.take(req, res, handle)
  }
  server.on('request', serve)
  // Whoever reads the body decides whether the client may send it.
  server.on('checkContinue', serve)
  server.on('checkExpectation', (req: IncomingMessage, res) => connections.take(req, res, refuseExpectation))
  server.on('connect', (_, socket: Duplex) => connections.refuseTunnel(socket as Socket))
  server.on('clientError', (error, socket) => {
    options.log.debug({ code: 'code' in error ? error.code : undefined }, 'a request could not be read')
    if (socket instanceof Socket) connections.fail(error, socket)
    else socket.destroy()
  })
  return server
}

const refuseExpectation: RequestListener = (req, res) =>
  sendServerError(req, res, new HttpError('ExpectationFailed', "Use no other expectation than '100-continue'."))

/**
 * From now on `GET /readyz` reports that the service is not ready, so that load balancers stop. The rest goes on.
 * @param server of `createHttpServer`; another one stays as it is
 */
export const announceDeparture = (server: Server): void => {
  connectionsOf.get(server)?.leave()
}

const POLL = 50
/** Milliseconds in which requests that were sent before the close was announced are still answered. */
const GRACE = 300

/**
 * Stops accepting connections, answers requests that are on their way, finishes those in flight, and closes. Resolves
 * when every connection is closed.
 * @param milliseconds after which open connections are cut off
 * @returns whether all requests were finished in time
 */
export const drain = async (server: Server, milliseconds: number): Promise<boolean> => {
  const connections = connectionsOf.get(server)
  connections?.announceClose()
  let finished = true
  const deadline = setTimeout(() => {
    finished = false
    server.closeAllConnections()
    connections?.destroy()
  }, milliseconds)
  const { closed } = await closeListener(server)
  let poll: NodeJS.Timeout | undefined
  let isOpen = true
  // If the thread was held up, timers are due before what has arrived meanwhile is read.
  const afterReading = (act: () => void) => () =>
    void setImmediate(() => {
      if (isOpen) act()
    })
  const grace = setTimeout(
    afterReading(() => {
      connections?.drain()
      // The listener is closed already: this ends the rest of the server.
      server.close(() => undefined)
      const closeUnused = afterReading(() => {
        // A response that began before the announcement leaves its connection open and idle.
        server.closeIdleConnections()
        connections?.closeUnused()
      })
      poll = setInterval(closeUnused, POLL)
    }),
    GRACE,
  )
  await closed
  isOpen = false
  clearTimeout(grace)
  clearInterval(poll)
  clearTimeout(deadline)
  return finished
}

/** Milliseconds: the duration of a turn of the event loop that counts as empty; it grows with the time waited. */
const SHORTEST_EMPTY_TURN = 0.03
const LONGEST_EMPTY_TURN = 0.2
/** Milliseconds: after these, a moment without connections need not be short. */
const LONGEST_WAIT = 500
/** The connections that the kernel has established and that are not accepted yet are one more than Node asks for. */
const LONGEST_BACKLOG = 512

/**
 * Stops accepting connections. Closing the listener resets connections that the kernel has established and that are not
 * accepted yet, so this waits for a moment without any, or until those that were there at the beginning are accepted.
 * Open connections stay, idle ones too.
 * @returns a promise that resolves when all connections are closed
 */
const closeListener = async (server: Server): Promise<{ readonly closed: Promise<void> }> => {
  let arrivals = 0
  const onArrival = () => {
    arrivals++
  }
  server.on('connection', onArrival)
  // The rest of this turn may not look for connections; each turn after it does.
  await nextTurnOfTheLoop()
  const start = performance.now()
  for (let passed = 0; passed < LONGEST_WAIT || arrivals < LONGEST_BACKLOG; ) {
    const before = arrivals
    await nextTurnOfTheLoop()
    const turn = performance.now() - start - passed
    if (arrivals === before && turn < emptyTurnAfter(passed)) break
    passed += turn
  }
  server.off('connection', onArrival)
  // The method of an HTTP server would close idle connections, too.
  const closed = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()))
  return { closed }
}

const emptyTurnAfter = (passed: number): number =>
  passed < LONGEST_WAIT
    ? SHORTEST_EMPTY_TURN + (LONGEST_EMPTY_TURN - SHORTEST_EMPTY_TURN) * (passed / LONGEST_WAIT)
    : Number.POSITIVE_INFINITY
