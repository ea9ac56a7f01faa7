import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { Home } from '../../packages/app/test/running-service.ts'
import { migratePostgres } from '../../packages/storage-sql/src/postgres/index.ts'
import { foldersOfDebian } from '../../packages/storage-sql/test/postgres-server/find-postgres.ts'
import { startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'

const execute = promisify(execFile)
const MAIN = path.join(import.meta.dirname, '../../packages/app/src/main.ts')
const KEYS = ['secret', 'link-keys.json', 'signing-keys.json'] as const

const databasesOf = async (url: string): Promise<readonly string[]> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query('SELECT datname FROM pg_database')).rows.map(({ datname }) => datname)
  } finally {
    await client.end()
  }
}

/** Those of PostgreSQL, which also write down what everybody on a machine sees of them; and their password. */
const PROGRAM = `#!/bin/sh
echo "$*" >> arguments
echo "$PGPASSWORD" >> passwords
case "$FAILING $*" in yes*DROP*) exit 2 ;; esac
PATH=\${PATH#*:} exec "\${0##*/}" "$@"
`

it('restores PostgreSQL beside the service with the kept keys, not with others, and leaves nothing', async () => {
  // pg_dump reads no server that is newer than itself.
  const server = await startPostgres({ fsync: 'off', shared_buffers: '32MB' }, undefined, foldersOfDebian())
  onTestFinished(() => server.stop())
  await migratePostgres(server.url)
  await using home = await Home.make({ DATABASE_URL: server.url })
  await home.serveInProcess()
  expect((await home.run('user', 'put', 'ada', '--email', 'ada@example.com')).code).toBe(0)
  const keys = path.join(home.folder, 'keys')
  await mkdir(keys)
  for (const name of KEYS) await copyFile(path.join(home.folder, 'data', name), path.join(keys, name))
  // As on a machine whose service has its keys and its seal elsewhere.
  const [secret, anchor] = [path.join(home.folder, 'data/secret'), path.join(home.folder, 'anchor')]
  await writeFile(anchor, 'a seal of another trail')
  const [programs, scratch] = [path.join(home.folder, 'programs'), path.join(home.folder, 'scratch')]
  for (const folder of [programs, scratch]) await mkdir(folder)
  for (const name of ['pg_dump', 'pg_restore', 'psql'])
    await writeFile(path.join(programs, name), PROGRAM, { mode: 0o755 })
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: `${programs}:${process.env.PATH}`,
    TMPDIR: scratch,
    ROLLCALL_DATABASE_URL: `${server.url.replace('@', ':p%40s%5Cs%25@')}?pool=4&sslmode=disable`,
    ROLLCALL_SECRET_FILE: secret,
    ROLLCALL_AUDIT_ANCHOR: anchor,
    KEYS: keys,
    ROLLCALL: `${process.execPath} ${MAIN}`,
  }
  const drill = () => execute(path.join(import.meta.dirname, 'restore-postgres.sh'), { env, cwd: home.folder })
  const before = await databasesOf(server.url)
  const { stdout } = await drill()
  expect(stdout).toContain('The audit trail holds: ')
  expect(stdout).toContain('ada@example.com')
  expect(stdout).toMatch(/^The dump of .+ can be restored: it took \d+ s\.$/m)
  expect(await readFile(anchor, 'utf8')).toBe('a seal of another trail')
  expect(await readFile(path.join(home.folder, 'arguments'), 'utf8')).not.toContain('p%40')
  expect([...new Set((await readFile(path.join(home.folder, 'passwords'), 'utf8')).trim().split('\n'))]).toEqual([
    'p@s\\s%',
  ])
  expect(await readdir(scratch)).toEqual([])
  await writeFile(path.join(keys, 'secret'), 'f'.repeat(64), { mode: 0o600 })
  await expect(drill()).rejects.toMatchObject({ code: 4 })
  expect(await databasesOf(server.url)).toEqual(before)
  env.FAILING = 'yes'
  await expect(drill()).rejects.toMatchObject({
    stderr: expect.stringMatching(/Remove the database rollcall_drill_\d+/),
  })
  expect(await readdir(scratch)).toEqual([])
})
