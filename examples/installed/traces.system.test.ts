import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openCollector, SPANS_OF_A_SIGN_UP, signUpInTrace } from '../../packages/app/test/collector.ts'
import { blocksOf, read } from '../../packages/app/test/documentation/blocks.ts'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Stranger, Tarballs } from './stranger.ts'

const PAGE = 'docs/guides/monitor.md'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

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
  expect(await signUpInTrace(url, TRACE)).toBe(200)
  server.kill('SIGTERM')
  // What npx has started may end later than npx.
  await expect.poll(() => collector.namesOf(TRACE)).toEqual(expect.arrayContaining(SPANS_OF_A_SIGN_UP))
})
