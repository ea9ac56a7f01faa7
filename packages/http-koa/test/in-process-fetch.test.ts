import { operator, Unavailable } from '@rollcall/core'
import { openMemoryService } from '@rollcall/core/memory'
import { describe, expect, it } from 'vitest'
import { createHttpServer, createInProcessFetch, type HttpOptions } from '../src/index.ts'
import { LogLines } from './support/log-lines.ts'

const OPERATOR = operator('tester')
const URL = 'http://in-process.invalid'
const ADA = { email: 'ada.mail@example.com', name: 'Ada', roles: [] }

const opened = () => {
  const service = openMemoryService()
  const options: HttpOptions = {
    ...{ useCases: service.useCases, jwks: () => ({}), publicUrl: 'https://rollcall.example', trace: false },
    ...{ trustProxy: 0, corsOrigins: [], log: new LogLines() },
  }
  const fetch = createInProcessFetch(options, OPERATOR)
  const put = (headers: Record<string, string> = {}) =>
    fetch(`${URL}/users/ada`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(ADA),
    })
  return { ...service, options, fetch, put }
}

describe('the interface in this process', () => {
  it('is asked by the operator, without a token and whatever token there is', async () => {
    const { put, storage } = opened()
    expect((await put({ 'X-Request-Id': 'plan-1' })).status).toBe(201)
    expect((await put({ Authorization: 'Bearer of-nobody' })).status).toBe(204)
    const { items } = await storage.readers.audit.list({ after: 0, limit: 9 })
    const who = { actor: 'operator:tester', roleSource: 'operator', channel: 'cli' }
    expect(items).toMatchObject([{ ...who, requestId: 'plan-1' }, who].slice(0, items.length))
  })

  it('makes nobody an operator on a listener, whatever the request says', async () => {
    const { options, fetch } = opened()
    expect((await fetch(`${URL}/users`)).status).toBe(200)
    const server = createHttpServer(options)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const network = `http://127.0.0.1:${port}`
    for (const headers of [
      {},
      { Authorization: 'Bearer operator:tester' },
      { 'X-Request-Id': 'plan-1' },
      { Host: 'in-process.invalid' },
    ])
      expect((await globalThis.fetch(`${network}/users`, { headers })).status).toBe(401)
    await new Promise((resolve) => server.close(resolve))
  })

  it.each([new Error('broken'), new Unavailable({ cause: new Error('disk') })])(
    'throws what a client is not told as it is: %s',
    async (error) => {
      const { fetch, useCases } = opened()
      useCases.getUser.execute = () => Promise.reject(error)
      expect(await fetch(`${URL}/users/ada`).catch((thrown: unknown) => thrown)).toBe(error)
    },
  )

  it('throws what broke an answer off that had begun', async () => {
    const { fetch, useCases } = opened()
    const error = new Error('broken')
    useCases.exportSubscriptions.execute = async () =>
      (async function* () {
        yield 'one\n'
        await new Promise((resolve) => setTimeout(resolve, 20))
        throw error
      })()
    const response = await fetch(`${URL}/subscriptions/export`)
    expect(await response.text().catch((thrown: unknown) => thrown)).toBe(error)
  })

  it('sends a file while it is read, and answers meanwhile', async () => {
    const { fetch } = opened()
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(Buffer.from(`{"id":"u${sent}","email":"u${sent}.mail@example.com"}\n`))
        if (++sent === 1_000) controller.close()
      },
    })
    const init = { method: 'POST', headers: { 'Content-Type': 'application/x-ndjson' }, body, duplex: 'half' }
    const response = await fetch(`${URL}/users/import`, init as RequestInit)
    expect(JSON.parse(await response.text())).toMatchObject({ rows: 1_000, imported: 1_000 })
  })
})
