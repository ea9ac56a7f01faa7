import { expect, it } from 'vitest'
import { Home } from './running-service.ts'
import { solve } from './solve-challenge.ts'

const SETTINGS = { CHALLENGE: 'altcha', SECRET: 'a secret that both instances share, and keep' }

it('takes a proof of work on any instance with the same secret, and on each of one database once, over a restart', async () => {
  await using home = await Home.make(SETTINGS)
  await using other = await Home.make(SETTINGS)
  const server = await home.serveInProcess()
  await other.serveInProcess()
  const altcha = await solve((await (await fetch(`${other.url}/challenge`)).json()) as object)
  expect((await home.signUp('one@example.com', { altcha })).status).toBe(200)
  expect((await home.signUp('two@example.com', { altcha })).status).toBe(422)
  await server.stop()
  await home.serveInProcess()
  expect((await home.signUp('three@example.com', { altcha })).status).toBe(422)
  expect((await other.signUp('one@example.com', { altcha })).status).toBe(200)
})
