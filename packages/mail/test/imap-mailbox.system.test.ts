import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createImapMailbox, MailboxTrouble } from '../src/index.ts'
import { SELF_SIGNED } from './self-signed.ts'

const PASSWORD = 'p@ss/wörd:%'
const PROGRAMS = ['/usr/sbin', '/usr/local/sbin', '/usr/bin'].map((folder) => path.join(folder, 'dovecot'))
const [userId, groupId] =
  process.getuid?.() === 0 ? [65_534, 65_534] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0]

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const configuration = (folder: string, port: number, user: string): string => `protocols = imap
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
default_internal_user = ${user}
default_login_user = ${user}
mail_location = maildir:${folder}/mail
first_valid_uid = 1
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${folder}/users
}
userdb {
  driver = static
  args = uid=${userId} gid=${groupId} home=${folder}/mail
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    address = 127.0.0.1
    port = ${port}
  }
}
`

/** Dovecot with one user, on a port and with a folder of its own. */
const openDovecot = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-imap-'))
  await chmod(folder, 0o755)
  const mail = path.join(folder, 'mail')
  for (const name of ['', 'cur', 'new', 'tmp', '.Bounces', '.Bounces/cur', '.Bounces/new', '.Bounces/tmp']) {
    await mkdir(path.join(mail, name), { recursive: true })
    await chown(path.join(mail, name), userId, groupId)
  }
  const port = await freePort()
  await writeFile(path.join(folder, 'users'), `report@s:{PLAIN.B64}${Buffer.from(PASSWORD).toString('base64')}\n`)
  await writeFile(path.join(folder, 'cert.pem'), SELF_SIGNED.cert)
  await writeFile(path.join(folder, 'key.pem'), SELF_SIGNED.key, { mode: 0o600 })
  const config = path.join(folder, 'dovecot.conf')
  await writeFile(config, configuration(folder, port, process.getuid?.() === 0 ? 'nobody' : os.userInfo().username))
  const program = PROGRAMS.find(existsSync)
  if (program === undefined) throw new Error('Dovecot is not installed: `apt-get install dovecot-imapd`.')
  const server = spawn(program, ['-F', '-c', config], { stdio: 'ignore' })
  const ended = once(server, 'exit')
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isUp = await new Promise((resolve) => {
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    })
    socket.destroy()
    if (isUp) break
    if (server.exitCode !== null) throw new Error('Dovecot ended. Its configuration does not fit this version.')
    await sleep(50)
  }
  let number = 0
  const put = async (text: string, box = '.Bounces') => {
    const file = path.join(mail, box, 'new', `${1_000 + ++number}.x`)
    await writeFile(file, text.replaceAll('\n', '\r\n'))
    await chown(file, userId, groupId)
  }
  const holds = async (box: string) =>
    (await Promise.all(['new', 'cur'].map((name) => readdir(path.join(mail, box, name)).catch(() => [])))).flat().length
  const url = (password = PASSWORD, box = 'Bounces') =>
    `imaps://${encodeURIComponent('report@s')}:${encodeURIComponent(password)}@127.0.0.1:${port}/${box}`
  return { url, put, holds }
}

// The name of the certificate is another.
const mailboxOf = (url: string) => createImapMailbox({ url, ca: SELF_SIGNED.cert, servername: 'relay.invalid' })

const isReport = async (message: Uint8Array) => Buffer.from(message).includes('REPORT')

it('reads a mailbox of a real server: moves what is taken, leaves the rest, and looks at each once', async () => {
  const { url, put, holds } = await openDovecot()
  const mailbox = mailboxOf(url())
  const seen: string[] = []
  const take = async (message: Uint8Array) => {
    seen.push(Buffer.from(message).toString().split('\r\n')[0] ?? '')
    return await isReport(message)
  }
  expect(await mailbox.read(take)).toEqual({ taken: 0, left: 0, more: false })
  await put('Subject: 1 REPORT\n\nx\n')
  await put('Subject: 2 a letter\n\nx\n')
  await put(`Subject: 3 REPORT\n\n${'x'.repeat(1024 * 1024)}\n`)
  await put('Subject: 4 REPORT\n\nx\n')
  expect(await mailbox.read(take)).toEqual({ taken: 2, left: 2, more: false })
  expect(seen).toEqual(['Subject: 1 REPORT', 'Subject: 2 a letter', 'Subject: 4 REPORT'])
  expect([await holds('.Bounces'), await holds('.Rollcall')]).toEqual([2, 2])
  expect(await mailbox.read(take)).toEqual({ taken: 0, left: 0, more: false })
  await put('Subject: 5 REPORT\n\nx\n')
  expect(await mailbox.read(take)).toEqual({ taken: 1, left: 0, more: false })
  expect(seen).toHaveLength(4)
  // Another process begins anew, and finds nothing to take.
  expect(await mailboxOf(url()).read(isReport)).toEqual({ taken: 0, left: 2, more: false })
})

it('goes on where it was once what takes the reports has failed, and takes several hundred in rounds', async () => {
  const { url, put, holds } = await openDovecot()
  const mailbox = mailboxOf(url())
  await put('Subject: 1 REPORT\n\nx\n')
  const failure = new Error('the database is away')
  await expect(mailbox.read(() => Promise.reject(failure))).rejects.toBe(failure)
  for (let n = 0; n < 204; n++) await put('Subject: REPORT\n\nx\n')
  expect(await mailbox.read(isReport)).toEqual({ taken: 200, left: 0, more: true })
  expect(await mailbox.read(isReport)).toEqual({ taken: 5, left: 0, more: false })
  expect([await holds('.Bounces'), await holds('.Rollcall')]).toEqual([0, 205])
})

it('says why a mailbox cannot be read, and never the password', async () => {
  const { url } = await openDovecot()
  const troubleOf = async (address: string) => {
    const error: unknown = await mailboxOf(address)
      .read(isReport)
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(MailboxTrouble)
    const shown = `${(error as Error).stack} ${JSON.stringify(error)}`
    expect([shown.includes(PASSWORD), shown.includes('secret')]).toEqual([false, false])
    return (error as Error).message
  }
  expect(await troubleOf(url('secret'))).toContain('uthentication')
  expect(await troubleOf(url(PASSWORD, 'Nowhere'))).toMatch(/exist|Nowhere/)
  expect(await troubleOf('imaps://a:secret@127.0.0.1:1/')).toContain('ECONNREFUSED')
  // A certificate that the system does not know.
  await expect(createImapMailbox({ url: url() }).read(isReport)).rejects.toThrow(MailboxTrouble)
})
