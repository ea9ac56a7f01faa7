import { describe, expect, it } from 'vitest'
import { networkOf } from '../src/client-address.ts'
import type { HttpOptions } from '../src/index.ts'
import { openServer } from './support/open-server.ts'

describe('POST /subscribe', () => {
  const form = { email: 'known@example.com', name: 'Known' }

  /** The source of the form in the consent record. */
  const sourceOf = async (settings: Partial<HttpOptions>, headers: Record<string, string>, asJson = false) => {
    const server = await openServer(settings)
    const sources: unknown[] = []
    const { subscribe } = server.useCases
    const execute = subscribe.execute.bind(subscribe)
    subscribe.execute = async (command) => {
      sources.push(command.source)
      return await execute(command)
    }
    await server.request('POST', '/subscribe', { ...(asJson ? { json: form } : { form }), headers })
    return sources[0]
  }

  it('stores as evidence how the request came, from which network, with which user agent', async () => {
    const clientAddress = '127.0.0.0/24'
    expect(await sourceOf({}, { 'User-Agent': 'curl/8' })).toEqual({ via: 'form', clientAddress, userAgent: 'curl/8' })
    expect(await sourceOf({}, {}, true)).toEqual({ via: 'json', clientAddress, userAgent: undefined })
    expect(await sourceOf({}, { Accept: 'text/html' }, true)).toMatchObject({ via: 'page' })
  })

  it.each<[number, string | undefined, string | undefined]>([
    [0, '203.0.113.9', '127.0.0.0/24'],
    [1, undefined, '127.0.0.0/24'],
    [1, '6.6.6.6, 203.0.113.9', '203.0.113.0/24'],
    [3, '198.51.100.7', '198.51.100.0/24'],
    [1, 'nonsense', undefined],
  ])('trusts %i proxies: X-Forwarded-For %s gives %s', async (trustProxy, forwarded, clientAddress) => {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
    expect(await sourceOf({ trustProxy }, headers)).toMatchObject({ clientAddress })
  })

  it.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['::FFFF:c000:24d', '192.0.2.0/24'],
    ['0:0:0:0:0:ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:85a3::8a2e:370:7334', '2001:db8:85a3::/48'],
    ['fe80::1%eth0', 'fe80::/48'],
    ['::1', '0::/48'],
    ['::', '0::/48'],
    ['1:2:3:4:5:6:7:8', '1:2:3::/48'],
    ['64:ff9b::192.0.2.33', '64:ff9b::/48'],
    ['', undefined],
    ['999.1.1.1', undefined],
  ])('cuts %s to %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('is open to scripts of configured origins, and to no others', async () => {
    const server = await openServer({ corsOrigins: ['https://site.example'] })
    const ask = (method: string, origin: string | undefined, headers: Record<string, string> = {}) =>
      server.request(method, '/subscribe', {
        headers: { ...(origin && { Origin: origin }), ...headers },
        ...(method === 'POST' && { form }),
      })
    const allowed = await ask('POST', 'https://site.example')
    const headers = { 'access-control-allow-origin': 'https://site.example', vary: 'Origin' }
    expect(allowed).toMatchObject({ status: 200, headers })
    expect(allowed.headers['access-control-allow-credentials']).toBeUndefined()
    const wanted = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' }
    const preflight = await ask('OPTIONS', 'https://site.example', wanted)
    const methods = { 'access-control-allow-methods': 'POST', allow: 'GET, HEAD, POST, OPTIONS, TRACE' }
    const permitted = { ...methods, 'access-control-allow-headers': 'Content-Type, X-Request-Id' }
    const origin = { 'access-control-allow-origin': 'https://site.example' }
    expect(preflight).toMatchObject({ status: 204, headers: { ...origin, ...permitted } })
    for (const origin of ['https://evil.example', 'https://site.example.evil.example', 'null', undefined]) {
      const { status, headers } = await ask('POST', origin)
      expect([origin, status, headers.vary]).toEqual([origin, 200, 'Origin'])
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect((await ask('OPTIONS', origin, wanted)).headers['access-control-allow-origin']).toBeUndefined()
    }
    const fromSite = { headers: { Origin: 'https://site.example' } }
    expect(await server.request('POST', '/subscribe', { form: {}, ...fromSite })).toMatchObject({
      ...{ status: 422, headers: origin },
    })
    const elsewhere = await server.request('GET', '/livez', fromSite)
    expect(elsewhere.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('sends no origins if none is configured', async () => {
    const server = await openServer()
    const fromSite = { headers: { Origin: 'https://site.example' } }
    const { headers } = await server.request('POST', '/subscribe', { form, ...fromSite })
    expect([headers.vary, headers['access-control-allow-origin']]).toEqual([undefined, undefined])
  })
})
