import type { Server } from 'node:http'
import net from 'node:net'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'

/** Milliseconds: a turn of the event loop in which nothing happened; the longer one waits for it, the less choosy. */
const SHORTEST_EMPTY_TURN = 0.03
const LONGEST_EMPTY_TURN = 0.2
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
  const start = performance.now()
  for (let passed = 0, before = -1; passed < PATIENCE; ) {
    before = knocks
    await nextTurnOfTheLoop()
    const turn = performance.now() - start - passed
    if (knocks === before && turn < emptyTurnAfter(passed)) break
    passed += turn
  }
  server.off('connection', onKnock)
  // That of an HTTP server closes idle connections, too.
  const closed = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()))
  return { closed }
}

const emptyTurnAfter = (passed: number): number =>
  SHORTEST_EMPTY_TURN + (LONGEST_EMPTY_TURN - SHORTEST_EMPTY_TURN) * (passed / PATIENCE)
