import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Stranger, Tarballs } from './stranger.ts'

const EXAMPLES = path.join(import.meta.dirname, '..')

let tarballs: Tarballs
beforeAll(async () => {
  tarballs = await Tarballs.pack()
})
afterAll(() => tarballs.remove())

const install = (example: string) => Stranger.install(path.join(EXAMPLES, example), tarballs)

it('a plain script on the core and its ports in memory', async () => {
  await using script = await install('plain-script')
  expect(await script.run('npm', 'start', '--silent')).toBe(
    [
      "ada@example.com asked for 'default'",
      'the subscription is confirmed',
      "Deleting users requires the 'admin' role.",
      'with our own table, eve may delete: true',
      '',
    ].join('\n'),
  )
})

it('a Koa application that has routes and a body parser of its own', async () => {
  await using shop = await install('koa')
  const server = spawn(process.execPath, ['server.js'], {
    cwd: shop.folder,
    env: { ...shop.environment, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = `http://127.0.0.1:${await portOf(server)}`
    const send = async (place: string, body: Record<string, string>) => {
      const answer = await fetch(url + place, { method: 'POST', body: new URLSearchParams(body) })
      return [answer.status, await answer.json()]
    }
    expect(await (await fetch(url)).text()).toBe('The shop')
    const subscription = { name: '', email: 'ada@example.com', id: expect.any(Number), feed: 'default' }
    expect(await send('/mail/subscribe', { email: 'ada@example.com' })).toEqual([
      200,
      { message: 'User subscription pending. A confirmation email has been sent.', subscription },
    ])
    expect(await send('/orders', { article: 'tea', newsletter: 'yes', email: 'eve@example.com' })).toEqual([
      200,
      { ordered: 'tea' },
    ])
    const wrong = new URLSearchParams({ article: 'tea', newsletter: 'yes', email: 'eve' })
    expect((await fetch(`${url}/orders`, { method: 'POST', body: wrong })).status).toBe(400)
    expect((await fetch(`${url}/mail/users/1`, { method: 'DELETE' })).status).toBe(401)
    await expect
      .poll(async () => (await shop.run('ls', 'data/mail')).split('\n').filter((name) => name.endsWith('.eml')).length)
      .toBe(2)
    server.kill('SIGTERM')
    expect(await once(server, 'exit')).toEqual([0, null])
    const database = new DatabaseSync(path.join(shop.folder, 'data/rollcall.db'), { readOnly: true })
    const addresses = database.prepare('SELECT via, client_address FROM consent ORDER BY via').all()
    database.close()
    expect(addresses).toEqual(['form', 'order'].map((via) => ({ via, client_address: '127.0.0.0/24' })))
  } finally {
    server.kill('SIGKILL')
  }
})

const portOf = async ({ stdout }: ChildProcess): Promise<string> => {
  if (stdout === null) throw new Error('the shop has no output')
  for await (const line of createInterface(stdout)) {
    const [, port] = /listens on port (\d+)/.exec(line) ?? []
    if (port !== undefined) {
      stdout.resume()
      return port
    }
  }
  throw new Error('the shop did not start')
}

it('an InversifyJS host with a user repository of its own in the same unit of work', async () => {
  await using host = await install('inversify')
  await host.run('npm', 'run', 'check')
  expect(await host.run('npm', 'start', '--silent')).toBe(
    [
      "staff: [\n  { login: 'ada', department: '' },\n  { login: 'eve', department: 'Engines' }\n]",
      'DELETE /users/eve: 204',
      "staff: [ { login: 'ada' } ]",
      'user.put ada by operator:setup',
      'user.put eve by operator:setup',
      'token.issue ada by operator:setup',
      'user.delete eve by ada',
      '',
    ].join('\n'),
  )
  expect(await host.run('npm', 'test')).toMatch(/Tests .*65 passed/)
})

it('an adapter of its own that passes the contract of its port', async () => {
  await using adapter = await install('mail-transport')
  await adapter.run('npm', 'run', 'check')
  expect(await adapter.run('npm', 'test')).toMatch(/Tests .*15 passed/)
})
