import dns from 'node:dns'
import http from 'node:http'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Home } from '../../packages/app/test/running-service.ts'
import { composed, portIn } from '../testing/composed.ts'

const GIVEN = { ROLLCALL_PUBLIC_URL: 'https://news.example.com' }

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
  const { rollcall: alone } = await composed('compose.yaml', GIVEN)
  expect(Object.keys(alone?.environment ?? {})).toContain('ROLLCALL_PUBLIC_URL')
  expect(Object.keys(alone?.environment ?? {}).join(' ')).not.toContain('METRICS')
  const services = await composed(['compose.yaml', 'compose.metrics.yaml'], GIVEN)
  const [name = ''] = Object.keys(services)
  const { environment, ports } = services[name] ?? {}
  const { ROLLCALL_METRICS_HOST, ROLLCALL_METRICS_PORT } = environment ?? {}
  expect(ports?.map(portIn)).toContain('127.0.0.1:9100:9100')
  expect(ROLLCALL_METRICS_PORT).toBe('9100')
  resolveHere(name)
  const port = String(await freePort())
  await using home = await Home.make({ METRICS_HOST: ROLLCALL_METRICS_HOST ?? '', METRICS_PORT: port })
  await home.serveInProcess()
  expect(await statusFor(port, `${name}:9100`)).toBe(200)
  expect(await statusFor(port, '127.0.0.1:9100')).toBe(200)
  expect(await statusFor(port, 'elsewhere:9100')).toBe(421)
})
