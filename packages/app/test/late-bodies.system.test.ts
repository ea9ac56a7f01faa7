import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Home } from './running-service.ts'

const user = (id: string, roles: readonly string[] = []) => ({ email: `${id}@example.com`, name: '', roles })

const tokenIdOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti

describe('a caller whose body is on its way', () => {
  const open = async () => {
    const home = await Home.make()
    await home.serveInProcess()
    const root = await home.token('root', 'admin')
    const ask = async (method: string, place: string, body?: object) => {
      const headers = { Authorization: `Bearer ${root}`, 'Content-Type': 'application/json' }
      return (await fetch(`${home.url}${place}`, { method, headers, body: body && JSON.stringify(body) })).status
    }
    /** Sends the first half, does the work, and sends the second half so many milliseconds later. */
    const slowly = async (
      method: string,
      place: string,
      token: string,
      sent: string,
      work: () => Promise<unknown>,
      wait = 0,
    ) => {
      const type = place.endsWith('/import') ? 'application/x-ndjson' : 'application/json'
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type }
      const request = http.request(`${home.url}${place}`, { method, headers })
      const answered = once(request, 'response')
      const half = sent.length >> 1
      request.write(sent.slice(0, half))
      await sleep(300)
      await work()
      await sleep(wait)
      request.end(sent.slice(half))
      const [answer] = (await answered) as [http.IncomingMessage]
      return { status: answer.statusCode, body: await text(answer).catch(() => '') }
    }
    return { home, ask, slowly, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() }
  }

  it.each([
    ['user', 0],
    ['user', 1_100],
    ['webhook', 1_100],
  ])('changes no %s once its token is revoked (%i ms later)', async (what, wait) => {
    await using at = await open()
    const token = await at.home.token('mallory', 'admin')
    const [place, body] =
      what === 'user'
        ? ['/users/backdoor', user('backdoor', ['admin'])]
        : ['/webhooks/copy', { url: 'https://receiver.example/', types: ['user.deleted'] }]
    const revoke = async () => expect(await at.ask('DELETE', `/tokens/${tokenIdOf(token)}`)).toBe(204)
    const { status } = await at.slowly('PUT', place as string, token, JSON.stringify(body), revoke, wait)
    expect([status, await at.ask('GET', place as string)]).toEqual([401, 404])
  })

  it('imports no further user once its token is revoked', async () => {
    await using at = await open()
    const token = await at.home.token('mallory', 'admin')
    const row = (id: string) => `${JSON.stringify({ id, ...user(id) })}\n`
    const revoke = () => at.ask('DELETE', `/tokens/${tokenIdOf(token)}`)
    const rows = Array.from({ length: 2_000 }, (_, n) => row(`user-${n}`)).join('')
    await at.slowly('POST', '/users/import', token, rows, revoke).catch(() => undefined)
    expect(await at.ask('GET', '/users/user-0')).toBe(200)
    expect(await at.ask('GET', '/users/user-1999')).toBe(404)
  })
})
