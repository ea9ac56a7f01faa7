import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SELF_SIGNED } from '../self-signed.ts'
import { daemon, type Postfix, run, type StoredMail, settingsOf } from './installed-postfix.ts'

const NOBODY = 65_534
const PATIENCE = 600_000

/** The whole of Postfix, on a port, a configuration and a queue of its own: takes mails, and files them in a Maildir. */
export const startSystem = async (folder: string): Promise<Postfix> => {
  const [etc, queue, data, mail] = ['etc', 'queue', 'data', 'mail'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  const port = await freePort()
  // Its programs run under several users.
  await chmod(folder, 0o755)
  for (const name of [etc, queue, data, mail]) await mkdir(name)
  await chown(mail, NOBODY, NOBODY)
  await chown(data, Number(await userId('postfix')), 0)
  await writeFile(path.join(etc, 'chain.pem'), `${SELF_SIGNED.key}\n${SELF_SIGNED.cert}`, { mode: 0o600 })
  await writeFile(path.join(etc, 'main.cf'), mainCf(folder))
  await writeFile(path.join(etc, 'master.cf'), masterCf(port))
  await run('postfix', '-c', etc, 'check')
  const master = spawn(await daemon('master'), ['-c', etc], { stdio: 'ignore' })
  const ended = once(master, 'exit')
  await listening(port)
  return {
    url: `smtp://127.0.0.1:${port}`,
    encrypts: true,
    stored: () => mailsIn(path.join(mail, 'inbox', 'new')),
    stop: async () => {
      master.kill('SIGTERM')
      await ended
    },
  }
}

const mainCf = (folder: string): string => `${settingsOf(folder)}smtpd_tls_security_level = may
smtpd_tls_chain_files = ${folder}/etc/chain.pem
virtual_mailbox_base = ${folder}/mail
virtual_minimum_uid = 1
virtual_uid_maps = static:${NOBODY}
virtual_gid_maps = static:${NOBODY}
`

const masterCf = (port: number): string => `127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
tlsmgr unix - - n 1000? 1 tlsmgr
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`

const userId = async (name: string): Promise<string> => {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith(`${name}:`))
  return line?.split(':')[2] ?? '0'
}

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('the system gave no port')
  return address.port
}

const listening = async (port: number): Promise<void> => {
  for (const end = Date.now() + PATIENCE; ; await sleep(20)) {
    const socket = connect(port, '127.0.0.1')
    const [answered] = await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'error').then(() => [false]),
    ]).catch(() => [false])
    socket.destroy()
    if (answered) return
    if (Date.now() > end) throw new Error('Postfix did not start')
  }
}

const mailsIn = async (folder: string): Promise<StoredMail[]> => {
  const names = await readdir(folder).catch(() => [])
  return await Promise.all(names.map(async (name) => storedMail(await readFile(path.join(folder, name), 'latin1'))))
}

const storedMail = (source: string): StoredMail => ({
  from: /^Return-Path: <(.*)>$/m.exec(source)?.[1] ?? '',
  to: /^X-Original-To: (.*)$/m.exec(source)?.[1] ?? '',
  source: source.replaceAll('\n', '\r\n'),
})
