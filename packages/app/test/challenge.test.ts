import { expect, it } from 'vitest'
import { Home } from './running-service.ts'
import { solve } from './solve-challenge.ts'

const SETTINGS = { CHALLENGE: 'altcha', SECRET: 'a secret that both instances share, and keep' }

const subscribe = async (at: Home, fields: Record<string, string>): Promise<number> => {
  const { status, body } = await fetch(`${at.url}/subscribe`, { method: 'POST', body: new URLSearchParams(fields) })
  await body?.cancel()
  return status
}

it('takes a proof of work on any instance with the same secret, and on each of one database once, over a restart', async () => {
  await using home = await Home.make(SETTINGS)
  await using other = await Home.make(SETTINGS)
  const server = await home.serveInProcess()
  await other.serveInProcess()
  const altcha = await solve((await (await fetch(`${other.url}/challenge`)).json()) as object)
  expect(await subscribe(home, { email: 'one@example.com', altcha })).toBe(200)
  expect(await subscribe(home, { email: 'two@example.com', altcha })).toBe(422)
  await server.stop()
  await home.serveInProcess()
  expect(await subscribe(home, { email: 'three@example.com', altcha })).toBe(422)
  expect(await subscribe(other, { email: 'one@example.com', altcha })).toBe(200)
})
