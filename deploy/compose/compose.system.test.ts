import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../packages/app/test/eventually.ts'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Home, Process } from '../../packages/app/test/running-service.ts'
import { ended, startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { composed, portIn, type Service } from '../testing/composed.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const MAIN = path.join(ROOT, 'packages/app/src/main.ts')
const SBIN = [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(path.delimiter)
const GIVEN = { ROLLCALL_PUBLIC_URL: 'https://news.example.com', POSTGRES_PASSWORD: 'password' }

/** Compose 1 writes it as a text, later ones in parts. */
const volumeIn = (volume: NonNullable<Service['volumes']>[number]): string =>
  typeof volume === 'string' ? volume : `${volume.source}:${volume.target}:${volume.read_only === true ? 'ro' : 'rw'}`

const seconds = (duration = '0s'): number => Number.parseFloat(duration)

it.each(['compose.yaml', 'compose.postgres.yaml'])('gives the service what it needs and no more: %s', async (file) => {
  const services = Object.entries(await composed(file, GIVEN)).filter(([name]) => name.startsWith('rollcall'))
  expect(services.length).toBeGreaterThan(0)
  for (const [, service] of services) {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    // Lists that are read twice are kept there; a pipe into `user delete` needs it.
    expect(service.tmpfs).toEqual(['/tmp:size=64m'])
    const { ROLLCALL_SHUTDOWN_DELAY, ROLLCALL_SHUTDOWN_TIMEOUT } = service.environment
    const needed = seconds(ROLLCALL_SHUTDOWN_DELAY ?? '0s') + seconds(ROLLCALL_SHUTDOWN_TIMEOUT ?? '10s')
    expect(seconds(service.stop_grace_period)).toBeGreaterThan(needed)
  }
  await expect(composed(file, {})).rejects.toThrow('say what links in mails begin with')
})

it('has the console where browsers of this machine find it, by a file of its own', async () => {
  const { rollcall: alone } = await composed('compose.yaml', GIVEN)
  expect(Object.keys(alone?.environment ?? {}).filter((name) => name.includes('CONSOLE'))).toEqual([])
  const { rollcall } = await composed(['compose.yaml', 'compose.console.yaml'], GIVEN)
  if (rollcall === undefined) throw new Error('there is no service')
  expect(rollcall.ports?.map(portIn)).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:9090:9090'])
  const port = String(await freePort())
  const { CONSOLE_PORT, CONSOLE_HOST, CONSOLE_URL = '' } = settingsOf(rollcall)
  expect([CONSOLE_PORT, CONSOLE_HOST]).toEqual(['9090', '0.0.0.0'])
  const here = { CONSOLE_PORT: port, CONSOLE_HOST: '0.0.0.0', CONSOLE_URL: CONSOLE_URL.replace('9090', port) }
  await using home = await Home.make(here)
  await home.serve()
  const { stdout } = await home.run('console', 'login')
  expect(stdout).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/login/`))
  expect((await fetch(stdout.trim())).status).toBe(200)
})

it('has the SDK where the service finds it, and asks where spans go, by a file of its own', async () => {
  const files = ['compose.yaml', 'compose.tracing.yaml']
  const endpoint = 'http://collector:4318'
  const { rollcall } = await composed(files, { ...GIVEN, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  if (rollcall === undefined) throw new Error('there is no service')
  expect(rollcall.environment).toMatchObject({
    ROLLCALL_PUBLIC_URL: GIVEN.ROLLCALL_PUBLIC_URL,
    NODE_OPTIONS: '--import=/opt/tracing.mjs',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  })
  expect(rollcall.volumes?.map(volumeIn).toSorted()).toEqual([
    `${import.meta.dirname}/tracing/node_modules:/opt/node_modules:ro`,
    `${import.meta.dirname}/tracing/tracing.mjs:/opt/tracing.mjs:ro`,
    'data:/var/lib/rollcall:rw',
  ])
  await expect(composed(files, GIVEN)).rejects.toThrow('say where spans go')
})

it('keeps the SDK that is installed for it out of the repository and of its checks', async () => {
  const copy = await mkdtemp(path.join(os.tmpdir(), 'rollcall-ignored-'))
  onTestFinished(() => rm(copy, { recursive: true, force: true }))
  await mkdir(path.join(copy, 'deploy/compose/tracing'), { recursive: true })
  await writeFile(path.join(copy, 'checked.mjs'), 'export {}\n')
  await writeFile(path.join(copy, 'deploy/compose/tracing/tracing.mjs'), 'var  unused')
  for (const file of ['.gitignore', 'biome.json']) await cp(path.join(ROOT, file), path.join(copy, file))
  const run = async (program: string, ...args: readonly string[]) =>
    (await promisify(execFile)(program, args, { cwd: copy })).stdout
  await run('git', 'init', '--quiet')
  expect(await run('git', 'status', '--short', '--untracked-files=all')).not.toContain('tracing')
  const biome = path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  expect(await run(process.execPath, biome, 'lint', '--error-on-warnings', '.')).toContain('Checked 2 files')
})

/** What is another on this machine than in containers, in both files alike. */
const changed = (text: string, changes: Readonly<Record<string, string>>): string => {
  let result = text
  for (const [there, here] of Object.entries(changes)) {
    expect(result).toContain(there)
    result = result.replaceAll(there, here)
  }
  return result
}

const settingsOf = ({ environment }: Service): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name.replace(/^ROLLCALL_/, ''), value ?? '']))

it('answers every request while one instance after the other is restarted', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-compose-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const server = await startPostgres({ fsync: 'off', shared_buffers: '32MB', max_connections: '100' })
  onTestFinished(() => server.stop())
  const services = await composed('compose.postgres.yaml', GIVEN)
  const [port, one, two] = [await freePort(), await freePort(), await freePort()]
  const configuration = await readFile(path.join(import.meta.dirname, 'haproxy.cfg'), 'utf8')
  const proxy = path.join(folder, 'haproxy.cfg')
  await writeFile(
    proxy,
    changed(configuration, {
      'bind :8080': `bind 127.0.0.1:${port}`,
      'rollcall-1:8080': `127.0.0.1:${one}`,
      'rollcall-2:8080': `127.0.0.1:${two}`,
    }),
  )
  const control = path.join(folder, 'control')
  await writeFile(path.join(folder, 'test.cfg'), `global\n  stats socket ${control}\n`)

  const start = (name: string, at: number): Process => {
    const settings = settingsOf(services[name]!)
    expect(settings).toMatchObject({
      // Without it, a server under another name than localhost has to encrypt.
      DATABASE_URL: 'postgres://rollcall:password@postgres/rollcall?sslmode=disable',
      SHUTDOWN_DELAY: '8s',
    })
    const here = {
      DATABASE_URL: `${server.url}?sslmode=disable`,
      DATA_DIR: path.join(folder, 'data'),
      PORT: String(at),
    }
    const instance = new Process(['serve'], { ...settings, ...here, RATE_LIMIT: 'off', LOG_FORMAT: 'json' }, folder, {
      main: MAIN,
    })
    onTestFinished(async () => void (await instance.kill('SIGKILL')))
    return instance
  }
  const instances = new Map([
    ['one', start('rollcall-1', one)],
    ['two', start('rollcall-2', two)],
  ])
  const haproxy = spawn('haproxy', ['-f', path.join(folder, 'test.cfg'), '-f', proxy], {
    stdio: 'ignore',
    env: { PATH: SBIN },
  })
  onTestFinished(async () => {
    haproxy.kill('SIGKILL')
    await ended(haproxy)
  })
  const states = () => statesIn(control)
  const bothUp = async () => {
    for (const [name, { child, stdout, stderr }] of instances)
      if (child.exitCode !== null) throw new Error(`Instance ${name} ended. ${stdout}${stderr}`)
    if (haproxy.exitCode !== null) throw new Error('HAProxy ended. Is its port taken?')
    const { one, two } = await states()
    return one === 'UP' && two === 'UP'
  }
  const answers = async (at: number) =>
    (await fetch(`http://127.0.0.1:${at}/readyz`).catch(() => undefined))?.ok === true
  await eventually(bothUp, 'that both instances are used')

  const statuses = new Map<number | string, number>()
  let going = true
  const visitor = async (name: string): Promise<void> => {
    for (let count = 0; going; count++) {
      const body = new URLSearchParams({ name, email: `${name}-${count}@example.com` })
      const answer = await fetch(`http://127.0.0.1:${port}/subscribe`, { method: 'POST', body }).then(
        async (response) => {
          const text = await response.text()
          return response.ok ? response.status : `${response.status} ${text}`
        },
        (error: Error) => String(error.cause ?? error),
      )
      statuses.set(answer, (statuses.get(answer) ?? 0) + 1)
    }
  }
  const visitors = ['ada', 'brian', 'grace'].map(visitor)
  try {
    for (const [name, at] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const output = await instances.get(name)!.kill('SIGTERM')
      expect(output).toMatchObject({ code: 0, signal: null })
      expect((await states())[name]).toBe('DOWN')
      instances.set(name, start(name === 'one' ? 'rollcall-1' : 'rollcall-2', at))
      // Compose waits for no more, so the next one is stopped before HAProxy has noticed.
      await eventually(() => answers(at), 'that the instance is ready')
    }
    await eventually(bothUp, 'that both instances are used again')
  } finally {
    going = false
    await Promise.all(visitors)
  }
  expect([...statuses.keys()]).toEqual([200])
  expect(statuses.get(200)).toBeGreaterThan(20)
})

/** What HAProxy thinks of each server. */
const statesIn = async (control: string): Promise<Readonly<Record<string, string>>> => {
  const socket = net.connect(control).setEncoding('utf8')
  let text = ''
  socket.on('data', (more: string) => {
    text += more
  })
  try {
    const closed = once(socket, 'close')
    socket.write('show stat\n')
    await closed
  } catch {
    return { one: 'not there yet' }
  }
  const rows = text.split('\n').map((line) => line.split(','))
  const servers = rows.filter(([proxy, server]) => proxy === 'instances' && server !== 'BACKEND')
  return Object.fromEntries(servers.map((row) => [row[1], row[17] ?? '']))
}
