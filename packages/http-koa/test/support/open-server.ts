import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openMemoryService } from '@rollcall/core/memory'
import { afterAll, onTestFinished } from 'vitest'
import { createHttpServer, drain, type HttpOptions } from '../../src/index.ts'
import { exchange, type RequestOptions } from './exchange.ts'
import { LogLines } from './log-lines.ts'
import { raw } from './raw.ts'

/** The whole service in memory behind a real socket, until the end of the test that opens it. */
export const openServer = async (...given: Parameters<typeof startServer>) => {
  const server = await startServer(...given)
  onTestFinished(server.close)
  return server
}

/** The same, until the end of all tests of the file; opened at its top level. */
export const sharedServer = async (...given: Parameters<typeof startServer>) => {
  const server = await startServer(...given)
  afterAll(server.close)
  return server
}

/** The same, until somebody closes it. */
export const startServer = async (
  settings: Partial<HttpOptions> = {},
  configure: (server: Server) => void = () => {},
  ofCore: Parameters<typeof openMemoryService>[0] = {},
) => {
  const { publicUrl = 'https://rollcall.example' } = settings
  const service = openMemoryService({ publicUrl, ...ofCore })
  const log = new LogLines()
  const server = createHttpServer({
    useCases: service.useCases,
    jwks: () => ({ keys: [] }),
    publicUrl,
    trace: true,
    trustProxy: 0,
    corsOrigins: [],
    log,
    now: () => service.clock.now(),
    ...settings,
  })
  configure(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const token = async (subject: string, ...roles: string[]): Promise<string> =>
    (await service.tokens.issue({ subject, roles, lifetime: 3600 })).token
  const request = (method: string, path: string, options: RequestOptions = {}) => exchange(port, method, path, options)
  return {
    ...service,
    server,
    port,
    log,
    token,
    request,
    /** As `request`, with what the JSON of the answer says. */
    ask: async (method: string, path: string, options: RequestOptions = {}) => {
      const answer = await request(method, path, options)
      return { ...answer, value: answer.body === '' ? undefined : JSON.parse(answer.body) }
    },
    raw: (bytes: string | Buffer | readonly (string | Buffer)[]) => raw(port, bytes),
    /** Sends pending mails and returns the links of the last one. */
    links: async () => {
      await service.useCases.deliverOutbox.execute({ limit: 100 })
      const { links } = service.transport.mails.at(-1)!
      const pathOf = (link: string | undefined): string => new URL(link!).pathname
      return { confirm: pathOf(links.confirm), refuse: pathOf(links.refuse), unsubscribe: pathOf(links.unsubscribe) }
    },
    close: async () => {
      server.closeAllConnections()
      await drain(server, 1000)
    },
  }
}

export type OpenServer = Awaited<ReturnType<typeof startServer>>
