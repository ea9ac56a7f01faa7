import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openMemoryService } from '@rollcall/core/memory'
import { onTestFinished } from 'vitest'
import type { HttpOptions } from '../../src/index.ts'
import { exchange, type RequestOptions } from './exchange.ts'
import { LogLines } from './log-lines.ts'

/** A service in memory behind what a host makes of it, until the end of the test. */
export const openHost = async (listenerOf: (options: HttpOptions) => RequestListener, settings = {}) => {
  const service = openMemoryService()
  const log = new LogLines()
  const { useCases } = service
  const options = { useCases, jwks: () => ({ keys: [] }), publicUrl: 'https://host.example', log }
  const listener = listenerOf({ ...options, trace: true, trustProxy: 0, corsOrigins: [], ...settings })
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const request = (method: string, path: string, options: RequestOptions = {}) => exchange(port, method, path, options)
  return { service, log, port, request }
}
