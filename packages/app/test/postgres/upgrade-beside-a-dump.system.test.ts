import pg from 'pg'
import { expect, it } from 'vitest'
import { eventually } from '../eventually.ts'
import { Home } from '../running-service.ts'
import { Database } from './database.ts'

const connected = async (own: AsyncDisposableStack, url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: 'pg_dump' })
  await client.connect()
  own.defer(() => client.end())
  return client
}

it('serve and migrate say what they wait for beside a dump, and end by SIGTERM as if they had not begun', async () => {
  await using own = new AsyncDisposableStack()
  const database = own.use(await Database.make('template0'))
  const client = await connected(own, database.url)
  // All that every migration needs, held as whatever makes one wait holds a table.
  await client.query('CREATE TABLE rollcall_migration (name text PRIMARY KEY, needs text NOT NULL)')
  await client.query('BEGIN; LOCK TABLE rollcall_migration IN SHARE MODE')
  const home = own.use(await Home.make({ DATABASE_URL: database.url }))
  for (const [command, code] of [
    ['serve', 0],
    ['migrate', 130],
  ] as const) {
    const run = home.start([command])
    await eventually(
      () => /the table rollcall_migration is free: the process \d+ \(pg_dump\)/.test(run.stdout + run.stderr),
      command,
    )
    expect((await run.kill('SIGTERM')).code).toBe(code)
  }
  expect((await home.run('migrate', '--check')).code).toBe(3)
  const server = home.start(['serve'])
  await eventually(() => server.stdout.includes('the table rollcall_migration is free'), 'that it waits')
  await client.query('COMMIT')
  await eventually(
    async () => (await fetch(`${home.url}/readyz`).catch(() => undefined))?.ok === true,
    'that it serves',
  )
  expect((await server.kill('SIGTERM')).code).toBe(0)
})
