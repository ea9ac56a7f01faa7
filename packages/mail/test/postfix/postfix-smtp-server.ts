import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { command, daemon, type Postfix, run, type StoredMail, settingsOf } from './installed-postfix.ts'

/**
 * What of Postfix an ordinary user may run: its SMTP server, one process for each connection, which leaves what it has
 * taken in its queue. (To start it as a whole takes the rights of root.)
 */
export const startSmtpServer = async (folder: string): Promise<Postfix> => {
  const [etc, bin, maildrop] = ['etc', 'bin', 'queue/maildrop'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const name of [etc, bin, maildrop, path.join(folder, 'data')]) await mkdir(name, { recursive: true })
  // A copy, as the installed one has the rights of a group and writes to the installed queue alone.
  await copyFile(command('postdrop'), path.join(bin, 'postdrop'))
  await writeFile(path.join(etc, 'main.cf'), mainCf(folder))
  await writeFile(path.join(etc, 'master.cf'), '')
  const smtpd = await daemon('smtpd')
  const server = createServer((socket) => {
    const child = spawn(smtpd, ['-S'], { env: { MAIL_CONFIG: etc }, stdio: ['pipe', 'pipe', 'ignore'] })
    for (const end of [socket, child.stdin, child.stdout]) end.on('error', () => child.kill())
    socket.pipe(child.stdin)
    child.stdout.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    encrypts: false,
    stored: async () => {
      const names = await readdir(maildrop)
      return await Promise.all(names.map((name) => storedMail(path.join(maildrop, name), etc)))
    },
    stop: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

const mainCf = (folder: string): string => `${settingsOf(folder)}command_directory = ${folder}/bin
`

const storedMail = async (file: string, etc: string): Promise<StoredMail> => {
  const envelope = await run('postcat', '-c', etc, '-e', file)
  const source = await run('postcat', '-c', etc, '-bh', file)
  return {
    from: /^sender: (.*)$/m.exec(envelope)?.[1] ?? '',
    to: /^recipient: (.*)$/m.exec(envelope)?.[1] ?? '',
    source: source.replaceAll('\n', '\r\n'),
  }
}
