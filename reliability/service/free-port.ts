import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port on which nobody listens now. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('the system gave no port')
  return address.port
}
