import { execFile } from 'node:child_process'
import dns from 'node:dns'
import http from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Home } from '../../packages/app/test/running-service.ts'

const COMPOSE = path.join(import.meta.dirname, '../compose')

const composed = async (...files: readonly string[]) => {
  const env = { PATH: process.env.PATH, ROLLCALL_PUBLIC_URL: 'https://news.example.com' }
  const args = [...files.flatMap((file) => ['--file', file]), 'config']
  const { stdout } = await promisify(execFile)('docker-compose', args, { cwd: COMPOSE, env })
  return parse(stdout).services
}

/** A network of Compose resolves the names of its services; this machine does not know them. */
const resolveHere = (name: string): void => {
  const { lookup } = dns
  const resolved = (host: string, ...rest: readonly unknown[]) =>
    Reflect.apply(lookup, dns, [host === name ? '127.0.0.1' : host, ...rest])
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(resolved as typeof lookup)
  onTestFinished(() => spy.mockRestore())
}

const statusFor = async (port: string, host: string): Promise<number | undefined> =>
  await new Promise((resolve, reject) => {
    http
      .get({ port, host: '127.0.0.1', path: '/metrics', headers: { Host: host } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      })
      .on('error', reject)
  })

it('has the metrics where Prometheus finds them, by a file of its own', async () => {
  expect(Object.keys((await composed('compose.yaml')).rollcall.environment).join(' ')).not.toContain('METRICS')
  const services = await composed('compose.yaml', 'compose.metrics.yaml')
  const [name = ''] = Object.keys(services)
  const { environment, ports } = services[name]
  const { ROLLCALL_METRICS_HOST, ROLLCALL_METRICS_PORT } = environment
  // Compose 1 writes it as a text, and later ones as its parts.
  expect(JSON.stringify(ports)).toMatch(
    /127\.0\.0\.1:9100:9100|"host_ip":"127\.0\.0\.1","target":9100,"published":"9100"/,
  )
  expect(ROLLCALL_METRICS_PORT).toBe('9100')
  resolveHere(name)
  const port = String(await freePort())
  await using home = await Home.make({ METRICS_HOST: ROLLCALL_METRICS_HOST, METRICS_PORT: port })
  await home.serveInProcess()
  expect(await statusFor(port, `${name}:9100`)).toBe(200)
  expect(await statusFor(port, '127.0.0.1:9100')).toBe(200)
  expect(await statusFor(port, 'elsewhere:9100')).toBe(421)
})
