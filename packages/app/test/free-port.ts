import { once } from 'node:events'
import net from 'node:net'

// `fetch` refuses 10,080.
const FIRST = 10_100
// From 32,768 on, Linux takes ports for connections that go out: one of those may be in use a moment later.
const OF_EACH_WORKER = 1_000
const WORKERS = 22

// Files that run at the same time look in different places.
const first = FIRST + (Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS) * OF_EACH_WORKER
let next = Math.floor(Math.random() * OF_EACH_WORKER)

/** A port that is not listened on, and that no other file of tests is given meanwhile. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = first + (next++ % OF_EACH_WORKER)
    if (await isFree(port)) return port
  }
}

const isFree = async (port: number): Promise<boolean> => {
  const probe = net.createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
