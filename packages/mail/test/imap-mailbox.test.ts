import { once } from 'node:events'
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { createImapMailbox, inspectImapMailbox, MailboxTrouble } from '../src/index.ts'
import { SELF_SIGNED } from './self-signed.ts'

/** What a server says before it has done what it was asked for, by the words of that. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/ (?:SELECT|EXAMINE) /i, '* 1 EXISTS\r\n* OK [UIDVALIDITY 7]\r\n* OK [UIDNEXT 2]\r\n'],
  [/ SEARCH /i, '* SEARCH 1\r\n'],
]

const urlOf = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `imaps://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Answers what it is asked for, or says no to it, and takes note of it. */
const answering =
  (refuses?: RegExp, asked: string[] = [], size = 0) =>
  (socket: Socket): void => {
    socket.on('error', () => undefined)
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        asked.push(line)
        const tag = line.split(' ', 1)[0]
        if (refuses?.test(line)) return void socket.write(`${tag} NO it is not so\r\n`)
        if (/ FETCH /i.test(line)) return void socket.write(`* 1 FETCH (UID 1 BODY[]<0> {${size}}\r\nSubject: x`)
        const said = SAID.find(([question]) => question.test(line))?.[1] ?? ''
        socket.write(`${said}${tag} OK done\r\n`)
      }
    })
  }

const serverOf = (listener: (socket: Socket) => void): Server =>
  createServer({ key: SELF_SIGNED.key, cert: SELF_SIGNED.cert }, listener)

const TRUST = { ca: SELF_SIGNED.cert, servername: 'relay.invalid' }

it('waits for no message that is too long to be taken in', async () => {
  const url = await urlOf(serverOf(answering(undefined, [], 1024 * 1024 * 1024)))
  const mailbox = createImapMailbox({ url, ...TRUST })
  const taken = mailbox.read(async () => true)
  await expect(taken).rejects.toThrow(MailboxTrouble)
  await expect(taken).rejects.toThrow(/TooLarge/)
})

it('looks into a folder without taking anything', async () => {
  const asked: string[] = []
  const url = `${await urlOf(serverOf(answering(undefined, asked)))}Bounces`
  expect(await inspectImapMailbox({ url, ...TRUST })).toEqual({ host: '127.0.0.1', folder: 'Bounces', messages: 1 })
  expect(asked.filter((line) => / (?:SELECT|FETCH|MOVE|COPY|STORE|CREATE|EXPUNGE) /i.test(line))).toEqual([])
})

const REFUSED = /^\S+ (?:LOGIN|AUTHENTICATE) /i

it.each<[string, () => Promise<string> | string, object, string, RegExp]>([
  ['nothing listens', () => 'imaps://a:b@127.0.0.1:1/', TRUST, 'connection', /ECONNREFUSED/],
  ['there is no such host', () => 'imaps://a:b@nowhere.invalid/', TRUST, 'connection', /nowhere\.invalid/],
  ['the certificate is not trusted', () => urlOf(serverOf(answering())), {}, 'encryption', /SELF_SIGNED/],
  ['it speaks no TLS', () => urlOf(createPlainServer(answering())), TRUST, 'encryption', /SSL|EPROTO/],
  ['the password is wrong', () => urlOf(serverOf(answering(REFUSED))), TRUST, 'login', /it is not so/],
  [
    'there is no such folder',
    () => urlOf(serverOf(answering(/ (?:SELECT|EXAMINE) /i))),
    TRUST,
    'folder',
    /it is not so/,
  ],
])('says how far it came if %s', async (_, url, trust, step, message) => {
  const error = await inspectImapMailbox({ url: await url(), ...trust }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'MailboxTrouble', step, message: expect.stringMatching(message) })
})

/** A server with reports and a folder for them, or without; `says` answers a CREATE. It gives none that is withheld, or is gone since the search. */
const withReports = (
  uids: readonly number[],
  folder: { exists: boolean; says: string },
  withheld: ReadonlySet<number> = new Set(),
  gone: ReadonlySet<number> = new Set(),
) => {
  const moved: string[] = []
  let isThere = folder.exists
  const listener = (socket: Socket): void => {
    socket.on('error', () => undefined)
    socket.write('* OK [CAPABILITY IMAP4rev1 UIDPLUS MOVE] ready\r\n')
    const answer = (line: string): string => {
      const uid = / (?:FETCH|MOVE) (\d+) /i.exec(line)?.[1]
      if (/ FETCH /i.test(line) && withheld.has(Number(uid))) return 'NO [UNAVAILABLE] not now,'
      if (/ FETCH /i.test(line) && gone.has(Number(uid))) return 'OK'
      if (/ FETCH /i.test(line)) return `* ${uid} FETCH (UID ${uid} BODY[]<0> {12}\r\nSubject: x\r\n)\r\nOK`
      if (/ (?:SELECT|EXAMINE) /i.test(line)) return `* ${uids.length} EXISTS\r\n* OK [UIDVALIDITY 7]\r\nOK`
      if (/ SEARCH /i.test(line)) return `* SEARCH ${uids.join(' ')}\r\nOK`
      if (/ CREATE /i.test(line)) {
        isThere ||= folder.says === 'OK'
        return folder.says
      }
      if (!/ MOVE /i.test(line)) return 'OK'
      if (isThere) moved.push(uid ?? '')
      return isThere ? 'OK' : 'NO [TRYCREATE]'
    }
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        const lines = answer(line).split('\r\n')
        const last = `${line.split(' ', 1)[0]} ${lines.pop()} done`
        socket.write(`${[...lines, last].join('\r\n')}\r\n`)
      }
    })
  }
  return { listener, moved }
}

it.each([
  ['is there, which a server may say in words alone', { exists: true, says: 'NO Mailbox already exists' }],
  ['is made', { exists: false, says: 'OK' }],
])('puts reports into a folder that %s', async (_, folder) => {
  const { listener, moved } = withReports([1, 2, 3], folder)
  const mailbox = createImapMailbox({ url: await urlOf(serverOf(listener)), ...TRUST })
  expect(await mailbox.read(async () => true)).toEqual({ taken: 3, left: 0, more: false })
  expect(moved).toEqual(['1', '2', '3'])
})

it('goes on with others if there is no folder to put reports into, and puts them away once there is', async () => {
  const folder = { exists: false, says: 'NO [NOPERM] you may not' }
  const { listener, moved } = withReports([1, 2], folder)
  const mailbox = createImapMailbox({ url: await urlOf(serverOf(listener)), ...TRUST })
  const taken: number[] = []
  const read = () => mailbox.read(async () => taken.push(1) > 0)
  expect(await read()).toMatchObject({ taken: 2 })
  await expect(read()).rejects.toMatchObject({ step: 'folder', message: expect.stringContaining('you may not') })
  folder.says = 'OK'
  await read()
  expect([taken.length, moved]).toEqual([2, ['1', '2']])
})

it('asks in later rounds for what the server did not give, and goes on with others meanwhile', async () => {
  const withheld = new Set([1, 3])
  const { listener, moved } = withReports([1, 2, 3, 4], { exists: true, says: 'OK' }, withheld)
  const mailbox = createImapMailbox({ url: await urlOf(serverOf(listener)), ...TRUST })
  const read = () => mailbox.read(async () => true)
  expect(await read()).toEqual({ taken: 2, left: 0, more: false })
  withheld.delete(3)
  expect(await read()).toEqual({ taken: 1, left: 0, more: false })
  await expect(read()).rejects.toMatchObject({ step: 'folder', message: expect.stringContaining('not now') })
  withheld.clear()
  expect(await read()).toEqual({ taken: 1, left: 0, more: false })
  expect(moved).toEqual(['2', '4', '3', '1'])
})

it('counts neither as taken nor as left what another instance has moved meanwhile', async () => {
  const [gone, withheld] = [new Set([2]), new Set([3])]
  const { listener, moved } = withReports([1, 2, 3], { exists: true, says: 'OK' }, withheld, gone)
  const mailbox = createImapMailbox({ url: await urlOf(serverOf(listener)), ...TRUST })
  const read = () => mailbox.read(async () => true)
  expect(await read()).toEqual({ taken: 1, left: 0, more: false })
  gone.add(3)
  withheld.clear()
  expect(await read()).toEqual({ taken: 0, left: 0, more: false })
  gone.clear()
  expect(await read()).toEqual({ taken: 0, left: 0, more: false })
  expect(moved).toEqual(['1'])
})

it('leaves in the end what the server never gives', async () => {
  const { listener } = withReports([1], { exists: true, says: 'OK' }, new Set([1]))
  const mailbox = createImapMailbox({ url: await urlOf(serverOf(listener)), ...TRUST })
  const read = () => mailbox.read(async () => true)
  for (let round = 1; round < 60; round++) await expect(read()).rejects.toThrow(MailboxTrouble)
  expect(await read()).toEqual({ taken: 0, left: 1, more: false })
  expect(await read()).toEqual({ taken: 0, left: 0, more: false })
})
