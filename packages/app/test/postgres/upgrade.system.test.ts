import { expect, it } from 'vitest'
import { Home } from '../running-service.ts'
import {
  ask,
  expectAnHour,
  expectEverything,
  migrateUnderLoad,
  startFirstRelease,
  statusOf,
} from '../upgrade-journey.ts'
import { Database } from './database.ts'

it('this version takes over a PostgreSQL database beside the first release, and refuses meanwhile what that would not honour', async () => {
  await using own = new AsyncDisposableStack()
  const database = own.use(await Database.make('template0'))
  const upgrade = await startFirstRelease(own, { DATABASE_URL: database.url })
  const { old, server, settings, tokens } = upgrade
  const { admin } = tokens
  await expectAnHour(upgrade, 'before')

  const now = own.use(await Home.make(settings))
  await now.takeKeysOf(old)
  const signUps = await migrateUnderLoad(upgrade, now)
  // Nobody else sends its mails yet.
  await expectAnHour(upgrade, 'after')

  await now.serveInProcess()
  const machine = JSON.parse(
    (await now.run('token', 'issue', '--subject', 'machine', '--role', 'auditor', '--json')).stdout,
  )
  const everywhere = async (token: string): Promise<number[]> => [
    await statusOf(old, token, 'GET', '/users'),
    await statusOf(now, token, 'GET', '/users'),
  ]
  const refused: [method: string, place: string, later: number, body?: object][] = [
    ['POST', '/users/kept-after/suspend', 200, { reason: 'left' }],
    ['POST', '/users/kept-after/resume', 200, { reason: 'back' }],
    ['DELETE', `/tokens/${machine.token_id}`, 204],
  ]
  for (const [method, place, , body] of refused) {
    const { status, retryAfter, text } = await ask(now, admin, method, place, body)
    expect([place, status, Number(retryAfter) > 0]).toEqual([place, 503, true])
    expect(JSON.parse(text)).toMatchObject({ error: 'Unavailable', message: expect.stringContaining('release before') })
  }
  const bound = ['token', 'issue', '--subject', 'mailer', '--role', 'sender', '--feed', 'default']
  const { code, stdout, stderr } = await now.run(...bound)
  expect([code, stdout, stderr]).toEqual([4, '', expect.stringContaining('release before is running')])
  expect(JSON.parse((await ask(now, admin, 'GET', '/users/kept-after')).text)).not.toHaveProperty('suspended_at')
  expect(await everywhere(machine.token)).toEqual([200, 200])

  const user = (roles: string[]) => ({ email: 'both@example.com', name: '', roles })
  expect(await statusOf(now, admin, 'PUT', '/users/both', user(['auditor']))).toBe(201)
  const both = await now.token('both')
  expect(await everywhere(both)).toEqual([200, 200])
  expect(await statusOf(old, admin, 'PUT', '/users/both', user([]))).toBe(204)
  expect(await everywhere(both)).toEqual([403, 403])
  expect((await now.run('audit', 'verify')).code).toBe(0)
  expect(await statusOf(now, admin, 'DELETE', '/users/both')).toBe(204)
  expect(await everywhere(both)).toEqual([401, 401])

  expect((await server.kill('SIGTERM')).code).toBe(0)
  await expectEverything(upgrade, now, signUps)
  for (const [method, place, later, body] of refused)
    expect([place, await statusOf(now, admin, method, place, body)]).toEqual([place, later])
  expect(await statusOf(now, machine.token, 'GET', '/users')).toBe(401)
  expect((await now.run(...bound)).code).toBe(0)
})
