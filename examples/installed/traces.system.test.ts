import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { blocksOf, read } from '../../packages/app/test/documentation/blocks.ts'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Stranger, Tarballs } from './stranger.ts'

const PAGE = 'docs/guides/monitor.md'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

interface Exported {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string; readonly traceId: string }[] }[]
  }[]
}

/** What takes spans, as a collector of OpenTelemetry does. */
const openCollector = async () => {
  const spans: { readonly name: string; readonly traceId: string }[] = []
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Exported
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { spans, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

it('is traced by the SDK that the guide installs, from its tarballs, until it has stopped', async () => {
  const collector = await openCollector()
  const tarballs = await Tarballs.pack()
  const source = await mkdtemp(path.join(tmpdir(), 'rollcall-empty-'))
  onTestFinished(async () => {
    await tarballs.remove()
    await rm(source, { recursive: true })
  })
  const manifest = { name: 'stranger', type: 'module', dependencies: { rollcall: '*' } }
  await writeFile(path.join(source, 'package.json'), JSON.stringify(manifest))
  await using stranger = await Stranger.install(source, tarballs)
  const command = /`(npm install @opentelemetry[^`]*)`/.exec(read(PAGE))?.[1] ?? ''
  await stranger.run('npm', ...command.split(' ').slice(1), '--no-audit', '--no-fund', '--loglevel=error')
  const file = blocksOf(PAGE).find((block) => block.file === 'tracing.mjs')
  await stranger.write('tracing.mjs', file?.code ?? '')

  const port = String(await freePort())
  const server = spawn('npx', ['rollcall', 'serve'], {
    cwd: stranger.folder,
    env: {
      ...stranger.environment,
      ROLLCALL_PORT: port,
      NODE_OPTIONS: `--import=${path.join(stranger.folder, 'tracing.mjs')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
    stdio: 'ignore',
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await expect.poll(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status).toBe(200)
  const signUp = await fetch(`${url}/subscribe`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'ada@example.com' }),
    headers: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
  })
  expect(signUp.status).toBe(200)
  server.kill('SIGTERM')
  // What npx has started may end later than npx.
  const spans = () => collector.spans.filter(({ traceId }) => traceId === TRACE).map(({ name }) => name)
  await expect.poll(spans).toEqual(expect.arrayContaining(['POST /subscribe', 'SubscribeUseCase', 'transaction']))
})
