import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Home } from '../running-service.ts'
import { Database } from './database.ts'

const SUBSCRIBERS = 30_000

const csv = (): string => {
  const row = (n: number) => `person-${n}@example.com,Person ${n},2024-05-01T10:00:00Z,signed on paper`
  return ['email,name,confirmed_at,consent', ...Array.from({ length: SUBSCRIBERS }, (_, n) => row(n))].join('\n')
}

/** A service with some of everything that a person left in it. */
const settledService = async (home: Home): Promise<void> => {
  await home.run('migrate')
  const importing = home.start(['subscription', 'import', '-', '--format', 'csv'])
  importing.child.stdin?.end(csv())
  expect((await importing.ended).code).toBe(0)
  for (const id of ['ada', 'grace', 'mary'])
    await home.run('user', 'put', id, '--email', `${id}@example.com`, '--role', 'admin')
  await home.run('user', 'delete', 'mary', '--yes', '--reason', 'left')
}

it('moves a service to PostgreSQL and back, through kill -9, and serves it there with the same tokens', async () => {
  await using home = await Home.make()
  await using database = await Database.make('template0')
  await settledService(home)
  const token = await home.token('ada')
  const sqlite = `sqlite:${path.join(home.folder, 'data/rollcall.db')}`
  const there = ['migrate-data', '--from', sqlite, '--to', database.url] as const

  const server = await home.serve()
  expect(await home.run(...there)).toMatchObject({ code: 4, stderr: expect.stringContaining('Another server works') })
  await server.kill('SIGTERM')

  const killed = home.start(there)
  const copied = () => database.query('SELECT 1 FROM subscription LIMIT 1').catch(() => [])
  while ((await copied()).length === 0) await sleep(10)
  await killed.kill('SIGKILL')
  const half = home.start(['serve'], { DATABASE_URL: database.url })
  expect(await half.ended).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Run the same `rollcall migrate-data`'),
  })

  const { code, stdout } = await home.run(...there, '--json')
  expect(code).toBe(0)
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({ resumed: true, interrupted: false, differences: [], audit: { broken: null } })
  expect(report.tables).toContainEqual({ table: 'subscription', rows: SUBSCRIBERS })
  expect(await home.run(...there)).toMatchObject({ code: 4, stderr: expect.stringContaining('is not empty') })

  const moved = await home.serve({ DATABASE_URL: database.url })
  const ask = async (id: string) =>
    (await fetch(`${home.url}/users/${id}`, { headers: { Authorization: `Bearer ${token}` } })).status
  expect([await ask('grace'), await ask('mary'), await ask('nobody')]).toEqual([200, 410, 404])
  expect((await home.signUp('new@example.com')).status).toBe(200)
  const back = `sqlite:${path.join(home.folder, 'back/rollcall.db')}`
  const away = ['migrate-data', '--from', database.url, '--to', back] as const
  expect(await home.run(...away)).toMatchObject({ code: 4, stderr: expect.stringContaining('Somebody works with') })
  await moved.kill('SIGTERM')
  expect(await home.run(...away)).toMatchObject({ code: 0, stdout: expect.stringContaining('The audit trail holds') })
  await home.serve({ DATABASE_URL: back })
  expect([await ask('grace'), await ask('mary'), await ask('nobody')]).toEqual([200, 410, 404])
})
