import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { createImapMailbox, MailboxTrouble } from '../src/index.ts'
import { SELF_SIGNED } from './self-signed.ts'

/** What a server says before it has done what it was asked for, by the words of that. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/ (?:SELECT|EXAMINE) /i, '* 1 EXISTS\r\n* OK [UIDVALIDITY 7]\r\n* OK [UIDNEXT 2]\r\n'],
  [/ SEARCH /i, '* SEARCH 1\r\n'],
]

/** A server that announces one message of so many bytes, and begins to send it. */
const serverWithMessageOf = async (size: number): Promise<string> => {
  const server = createServer({ key: SELF_SIGNED.key, cert: SELF_SIGNED.cert }, (socket) => {
    socket.on('error', () => undefined)
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        if (/ FETCH /i.test(line)) return void socket.write(`* 1 FETCH (UID 1 BODY[]<0> {${size}}\r\nSubject: x`)
        const said = SAID.find(([asked]) => asked.test(line))?.[1] ?? ''
        socket.write(`${said}${line.split(' ', 1)[0]} OK done\r\n`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `imaps://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/`
}

it('waits for no message that is too long to be taken in', async () => {
  const url = await serverWithMessageOf(1024 * 1024 * 1024)
  const mailbox = createImapMailbox({ url, ca: SELF_SIGNED.cert, servername: 'relay.invalid' })
  const taken = mailbox.read(async () => true)
  await expect(taken).rejects.toThrow(MailboxTrouble)
  await expect(taken).rejects.toThrow(/TooLarge/)
})
