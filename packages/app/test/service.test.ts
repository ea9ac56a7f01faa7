import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from './eventually.ts'
import { filesWith } from './files-with.ts'
import { MailSink } from './mail-sink.ts'
import { Home, type Process } from './running-service.ts'

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
const putUser = (token: string, user: object) => ({
  method: 'PUT',
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  body: JSON.stringify(user),
})

describe('a running service', () => {
  let home: Home
  let server: Process
  let admin: string

  beforeAll(async () => {
    home = await Home.make()
    server = await home.serve()
    admin = await home.token('root', 'admin')
  })
  afterAll(async () => await home[Symbol.asyncDispose]())

  it('shows a newcomer where it listens, where the data and the mails are, and how to get a token, but no token', () => {
    expect(server.stdout).toContain(home.url)
    expect(server.stdout).toContain(path.join(home.folder, 'data'))
    expect(server.stdout).toContain('.eml')
    expect(server.stdout).toContain('rollcall token issue --subject me --role admin')
    expect(server.stdout).not.toMatch(/eyJ/)
  })

  it('keeps its folder and its files to itself', async () => {
    expect((await stat(path.join(home.folder, 'data'))).mode & 0o777).toBe(0o700)
    for (const name of ['rollcall.db', 'secret', 'signing-keys.json']) {
      expect((await stat(path.join(home.folder, 'data', name))).mode & 0o777).toBe(0o600)
    }
  })

  it('writes the confirmation mail to a file, and its link confirms', async () => {
    const answer = await home.signUp('ada@example.com', { name: 'Ada' })
    expect(answer.status).toBe(200)
    await eventually(async () => (await home.mails()).length === 1)
    const [name = ''] = await home.mails()
    const mail = await readFile(path.join(home.folder, 'data/mail', name), 'utf8')
    const decoded = mail.replace(/=\r\n/g, '').replace(/=3D/g, '=')
    const link = /http:\/\/127\.0\.0\.1:\d+\/confirm\/[\w.-]+/.exec(decoded)?.[0] ?? ''
    expect((await fetch(link)).status).toBe(200)
    expect((await fetch(link, { method: 'POST' })).status).toBe(200)
  })

  it('lets no second server on the same file, and says so with exit code 4', async () => {
    const { code, stderr } = await home.start(['serve'], { PORT: String(home.port + 1) }).ended
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^error: .*another/im)])
  })

  it('says which port is taken, with exit code 4', async () => {
    const elsewhere = path.join(home.folder, 'elsewhere')
    const { code, stderr } = await home.runWith({ DATA_DIR: elsewhere }, 'serve')
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^error: Cannot listen on .*EADDRINUSE.*ROLLCALL_PORT/m)])
  })

  it('refuses every token of a user at once whom the command line deletes', async () => {
    for (const id of ['stays', 'goes']) {
      const user = { email: `${id}@example.com`, name: id, roles: ['admin'] }
      expect((await fetch(`${home.url}/users/${id}`, putUser(admin, user))).status).toBe(201)
    }
    const token = await home.token('goes')
    expect((await fetch(`${home.url}/users`, bearer(token))).status).toBe(200)
    await home.run('user', 'delete', 'goes', '--yes')
    expect((await fetch(`${home.url}/users`, bearer(token))).status).toBe(401)
    expect((await home.run('token', 'issue', '--subject', 'goes')).code).toBe(3)
  })
})

it('leaves no byte of a deleted person in the data folder, ten seconds later and after a stop', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await using home = await Home.make()
  const server = await home.serveInProcess()
  const admin = await home.token('root', 'admin')
  const [name, email] = ['Zyxwvutsrq Ponmlkj', 'zyxwvutsrq@example.com']
  await fetch(`${home.url}/users/1`, putUser(admin, { email, name, roles: [] }))
  await home.signUp(email, { name })
  await eventually(async () => (await home.mails()).length === 1)
  expect((await filesWith(home.folder, email)).length).toBeGreaterThan(0)

  const answer = await fetch(`${home.url}/users/1?subscriptions=erase`, { method: 'DELETE', ...bearer(admin) })
  expect(answer.status).toBe(204)
  expect(await home.mails()).toEqual([])
  // What is done within ten seconds has been begun by now, and ends as soon as the machine gets to it.
  await vi.advanceTimersByTimeAsync(10_000)
  const traces = [email, name, 'zyxwvutsrq', 'Zyxwvutsrq']
  const found = async () => (await Promise.all(traces.map((trace) => filesWith(home.folder, trace)))).flat()
  await eventually(async () => (await found()).length === 0, 'that no file has a trace')
  expect(server.log).not.toMatch(/zyxwvutsrq/i)
  await server.stop()
  expect(await filesWith(home.folder, email)).toEqual([])
})

it('finishes what is in flight when it is stopped, and loses nothing of it', async () => {
  await using sink = await MailSink.open()
  await using home = await Home.make({ SMTP_URL: sink.url })
  const server = await home.serve()
  const answers = Array.from({ length: 200 }, (_, n) => home.signUp(`n${n}@example.com`))
  await answers[0]
  const stopped = server.kill('SIGTERM')
  const statuses = await Promise.all(answers.map((answer) => answer.then(({ status }) => status).catch(() => 0)))
  expect(await stopped).toMatchObject({ code: 0, signal: null })
  expect(statuses.every((status) => [0, 200, 503].includes(status))).toBe(true)
  const accepted = statuses.filter((status) => status === 200).length
  await home.serveInProcess()
  await eventually(async () => sink.byAddress().size >= accepted)
})

it('makes no database where a command is given in the wrong folder, and says what to do', async () => {
  await using home = await Home.make()
  const { code, stdout, stderr } = await home.run('token', 'issue', '--subject', 'me')
  expect([code, stdout]).toEqual([4, ''])
  expect(stderr).toMatch(/^error: There is no database .*ROLLCALL_DATA_DIR.*rollcall migrate/m)
  expect(await readdir(home.folder)).toEqual([])
  expect((await home.run('migrate')).code).toBe(0)
  expect((await home.run('token', 'issue', '--subject', 'me')).stdout).toMatch(/^eyJ/)
})

it('cuts off requests at the end of a stop without a warning of Node', async () => {
  await using home = await Home.make({ SHUTDOWN_TIMEOUT: '1s' })
  const server = await home.serve()
  const socket = connect(home.port, '127.0.0.1')
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /livez HTTP/1.1\r\n')
  await once(socket, 'data')
  const { code, stderr } = await server.kill('SIGTERM')
  expect([code, stderr]).toEqual([0, ''])
  socket.destroy()
})
