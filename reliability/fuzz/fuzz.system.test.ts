import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { type RequestInput, ruleOf } from './input.ts'
import { sendInput } from './lanes/send-input.ts'
import { reduced } from './reduce.ts'
import { runFuzz } from './run-fuzz.ts'

it('answers every kept seed and some thousand generated inputs as it should, and stays well', async () => {
  const report = await runFuzz({ seed: 1, first: 0, inputs: 5_000, lanes: 12, store: 'sqlite' })
  expect(report.findings.map(({ problem }) => problem)).toEqual([])
  expect(report.sent).toBe(5_000)
  // If all inputs were refused early, they would prove nothing about the code behind.
  for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 409, 413, 415, 422])
    expect([status, report.statuses.has(status)]).toEqual([status, true])
})

it('finds a service that leaks its stack, and the few bytes that cause it', async () => {
  // An incomplete request is not waited for.
  const impatient = { connectionsCheckingInterval: 20, headersTimeout: 100, requestTimeout: 100 }
  const server = createServer(impatient, (request, response) => {
    request.resume()
    response.setHeader('X-Content-Type-Options', 'nosniff').setHeader('X-Request-Id', 'x')
    if (request.url?.includes('%00')) response.writeHead(500).end(new Error('a NUL').stack)
    else response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 2 }).end('{}')
  }).listen(0, '127.0.0.1')
  server.on('clientError', (_error, socket) => socket.destroy())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const inputFor = (target: string): RequestInput => {
    const bytes = Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(200)}\r\n\r\n`)
    return { kind: 'target', number: 0, bytes, method: 'GET', requestId: undefined, expected: undefined }
  }
  expect(await sendInput(port, inputFor('/harmless'))).toEqual([])
  const findings = await sendInput(port, inputFor(`/${'b'.repeat(100)}%00${'c'.repeat(100)}`))
  expect(findings.map(({ problem }) => ruleOf(problem))).toContain('status')
  const leak = findings.find(({ problem }) => ruleOf(problem) === 'status')
  const smallest = leak && (await reduced(port, leak))
  expect(smallest?.bytes.toString()).toContain('%00')
  expect(smallest?.bytes.length).toBeLessThan(60)
  server.closeAllConnections()
  server.close()
})
