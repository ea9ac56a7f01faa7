import type { Server } from 'node:http'
import net from 'node:net'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'

/** Milliseconds: a turn of the event loop in which nothing happened. */
const EMPTY_TURN = 0.2
/** After so many milliseconds there is always somebody. */
const PATIENCE = 500

/**
 * Takes no new connections. Whoever has connected and was not let in yet would be reset by it, having been told nothing
 * is wrong; so it is done when nobody is waiting. Connections that are there stay, idle ones too.
 * @returns a promise of the moment when they are all closed
 */
export const closeListener = async (server: Server): Promise<{ readonly closed: Promise<void> }> => {
  let knocks = 0
  const onKnock = () => {
    knocks++
  }
  server.on('connection', onKnock)
  const deadline = performance.now() + PATIENCE
  for (let begun = performance.now(), before = -1; begun < deadline; begun = performance.now()) {
    before = knocks
    await nextTurnOfTheLoop()
    if (knocks === before && performance.now() - begun < EMPTY_TURN) break
  }
  server.off('connection', onKnock)
  // That of an HTTP server closes idle connections, too.
  const closed = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()))
  return { closed }
}
