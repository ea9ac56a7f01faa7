import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { fromSource } from '../shared/service.ts'
import { logReader } from './fuzzed-service.ts'
import { anyInput, requests } from './inputs.ts'
import { lane, runFuzz } from './run-fuzz.ts'

it('answers every kept seed and some thousand generated inputs as it should, and stays well', async () => {
  const report = await runFuzz({ program: fromSource(), seed: 1, inputs: 8_000, lanes: 12 })
  expect(report.findings.map(({ problem }) => problem)).toEqual([])
  expect(report.sent).toBeGreaterThanOrEqual(8_000)
  // If all inputs were refused early, they would prove nothing about the code behind.
  for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 413, 415, 422])
    expect([status, report.statuses.has(status)]).toEqual([status, true])
})

const AROUND = {
  document: {
    paths: {
      '/livez': { get: {} },
      '/feeds/{name}': {
        put: {
          requestBody: { content: { 'application/json': { schema: { properties: { title: { type: 'string' } } } } } },
        },
      },
      '/import': {},
    },
  },
  tokens: { admin: 'a.b.c', auditor: 'a.b.d', nobody: 'a.b.e' },
  ...{ forged: ['x'], links: ['confirm/1.0'], subscriptions: ['1'], seeds: [Buffer.from('x')] },
}

it.each([
  ['status', (path: string) => (path.includes('%00') ? { status: 500 } : {})],
  // It takes every forged token and link.
  ['wrong-status', () => ({})],
  ['nosniff', (path: string) => (path.includes('feeds') ? { sniff: true } : {})],
  [
    'leak',
    (path: string) =>
      path.length > 10
        ? { status: 404, body: '{"error":"NotFound","message":"at Server.handle (node:internal/x)"}' }
        : {},
  ],
] as const)('finds a service that breaks the rule of its %s, and few bytes that show it', async (rule, of) => {
  // An incomplete request is not waited for.
  const impatient = { connectionsCheckingInterval: 20, headersTimeout: 100, requestTimeout: 100 }
  const server = createServer(impatient, (request, response) => {
    const {
      status = 200,
      sniff = false,
      body = '{}',
    }: { status?: number; sniff?: boolean; body?: string } = of(request.url ?? '')
    request.resume()
    if (!sniff) response.setHeader('X-Content-Type-Options', 'nosniff')
    const id = `${request.headers['x-request-id'] ?? 'x'}`.replace(/[^\w.-]/g, 'x')
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': id, 'Content-Length': body.length })
      .end(body)
  }).listen(0, '127.0.0.1')
  server.on('clientError', (_error, socket) => socket.destroy())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const found = new Map<string, number>()
  for (let seed = 1; seed < 200 && !found.has(rule); seed++) {
    const finding = await lane(port, rule === 'wrong-status' ? anyInput(AROUND) : requests(AROUND), {
      seed,
      inputs: 50,
    })
    if (finding?.input !== undefined) found.set(finding.problem.split(':')[0] ?? '', finding.input.bytes.length)
  }
  expect(found.get(rule)).toBeLessThan(600)
  server.closeAllConnections()
  server.close()
})

it('finds an address, a secret, an error and what is no JSON in a log, also in pieces', () => {
  const found: (readonly [string, string | undefined])[] = []
  const read = logReader(['s3cret'], (problem, id) => found.push([problem.slice(0, problem.indexOf(':')), id]))
  for (const text of [
    '{"level":"info","request_id":"1","msg":"S3CR',
    'ET"}\n{"level":"error"}\nplain\n',
    '{"to":"zqperson-1"}\n{}\n',
  ])
    read(text)
  expect(found).toEqual([
    ['log-privacy', '1'],
    ['log-error', undefined],
    ['log-line', undefined],
    ['log-privacy', undefined],
  ])
})
