import { MailRefusedPermanently } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSmtpTransport, RelayTrouble } from '../src/index.ts'
import { confirmation, SETTINGS } from './mails.ts'
import { openScriptedRelay, type Phase, type Script } from './scripted-relay.ts'

/** Milliseconds: longer than any test waits. */
const NEVER = 1_000_000
const PATIENT = { connect: NEVER, greeting: NEVER, command: NEVER, data: NEVER, block: NEVER, dot: NEVER }

const failureOf = async (url: string, timeouts = PATIENT): Promise<Error> => {
  const transport = createSmtpTransport({ ...SETTINGS, url, timeouts })
  onTestFinished(() => transport.close())
  return await transport.send(confirmation()).then(
    () => expect.fail('it was sent'),
    (error: Error) => error,
  )
}

const failureAgainst = async (script: Script, timeouts = PATIENT): Promise<Error> =>
  await failureOf((await openScriptedRelay(script)).url, timeouts)

const BEFORE_THE_END = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA'] as const satisfies readonly Phase[]
const PHASES = [...BEFORE_THE_END, 'end of data'] as const

describe('a permanent refusal', () => {
  it.each([
    ['RCPT', '550 5.1.1 unknown user'],
    ['RCPT', '501 5.1.3 bad address syntax'],
    ['RCPT', '551 5.1.6 user has moved'],
    ['RCPT', '553 5.1.3 mailbox name not allowed'],
    ['RCPT', '554 5.7.1 not wanted'],
    ['RCPT', '556 5.1.10 domain does not accept mail'],
    ['DATA', '554 5.5.1 no valid recipients'],
    ['end of data', '552 5.3.4 too big'],
    ['end of data', '554 5.7.1 looks like spam'],
    ['end of data', '550-first line\r\n550 5.7.1 second line'],
  ] as const)('of the mail (%s: %s) is permanent', async (phase, answer) => {
    expect(await failureAgainst({ [phase]: answer })).toBeInstanceOf(MailRefusedPermanently)
  })

  it.each([
    ['RCPT', '550 5.1.1 unknown user', '5.1.1'],
    ['RCPT', '550-5.2.1 disabled\r\n550 5.2.1 for long', '5.2.1'],
    ['RCPT', '554 5.7.1 not wanted', '5.7.1'],
    ['RCPT', '550 unknown user', undefined],
    ['RCPT', '550 5.1.1.2 unknown user', undefined],
    ['end of data', '554 5.1.1 no such user', undefined],
  ] as const)('says with which status the recipient was refused (%s: %s: %s)', async (phase, answer, status) => {
    expect(await failureAgainst({ [phase]: answer })).toMatchObject({ recipientStatus: status })
  })

  it.each([
    ['greeting', '554 5.7.1 your address is listed'],
    ['EHLO', '550 5.7.1 not you'],
    ['MAIL', '550 5.7.1 this sender is not allowed'],
    ['MAIL', '553 5.1.8 sender domain unknown'],
    ['MAIL', '530 5.7.0 authentication required'],
    ['RCPT', '530 5.7.1 authentication required'],
    ['RCPT', '503 5.5.1 bad sequence of commands'],
    ['RCPT', '500 5.5.2 what?'],
    ['DATA', '503 5.5.1 bad sequence of commands'],
    ['DATA', '502 5.5.1 not implemented'],
  ] as const)('of us, not of the mail (%s: %s) is worth another try', async (phase, answer) => {
    expect(await failureAgainst({ [phase]: answer })).toBeInstanceOf(RelayTrouble)
  })
})

describe('a relay that takes a whole dialogue at once', () => {
  const EHLO = '250-relay\r\n250 PIPELINING'

  it.each([
    ['hangs up', { DATA: 'hang up' }],
    ['says nothing', { DATA: undefined }],
    ['takes DATA, and hangs up', { 'end of data': 'hang up' }],
    ['shuts down', { DATA: '421 4.3.2 shutting down' }],
    ['takes DATA, and refuses the empty mail', { 'end of data': '554 5.5.1 no valid recipients' }],
    ['refuses DATA', { DATA: '503 5.5.1 no valid recipients' }],
  ] as const)('has refused the recipient for good, also if it then %s', async (_, then) => {
    const error = await failureAgainst(
      { EHLO, RCPT: '550 5.1.1 unknown user', ...then },
      { ...PATIENT, data: 150, command: 150, dot: 150 },
    )
    expect(error).toEqual(
      new MailRefusedPermanently('The relay answered RCPT TO with: 550 5.1.1 unknown user', {
        recipientStatus: '5.1.1',
      }),
    )
  })

  it.each([
    ['MAIL', '550 5.7.1 this sender is not allowed', 'MAIL FROM'],
    ['RCPT', '450 4.2.1 try later', 'RCPT TO'],
    ['RCPT', '421 4.7.0 later', 'RCPT TO'],
  ])('is quoted, and tried again (%s: %s)', async (phase, answer, command) => {
    const error = await failureAgainst({ EHLO, [phase]: answer })
    expect(error).toEqual(new RelayTrouble(`The relay answered ${command} with: ${answer}`))
  })
})

describe('a passing trouble is worth another try:', () => {
  it.each(
    PHASES.flatMap((phase) =>
      ['421 4.3.2 shutting down', '451 4.3.0 try later'].map((answer) => [phase, answer] as const),
    ),
  )('%s answered with %s', async (phase, answer) => {
    expect(await failureAgainst({ [phase]: answer })).toBeInstanceOf(RelayTrouble)
  })

  it.each(BEFORE_THE_END)('the connection dropped at %s', async (phase) => {
    expect(await failureAgainst({ [phase]: 'hang up' })).toBeInstanceOf(RelayTrouble)
  })

  it.each([
    ['greeting', 'greeting', 'no greeting'],
    ['EHLO', 'command', 'no answer to a command'],
    ['MAIL', 'command', 'no answer to a command'],
    ['RCPT', 'command', 'no answer to a command'],
    ['DATA', 'data', 'no answer to DATA'],
  ] as const)('no answer at %s, within the time for that alone', async (phase, time, words) => {
    const error = await failureAgainst({ [phase]: undefined }, { ...PATIENT, [time]: 150 })
    expect(error).toEqual(new RelayTrouble(`The relay took too long: ${words} within 0.15 s.`))
  })

  it.each(BEFORE_THE_END)('nonsense at %s', async (phase) => {
    expect(await failureAgainst({ [phase]: 'HTTP/1.1 400 Bad Request' })).toBeInstanceOf(RelayTrouble)
  })

  it.each(['EHLO', 'RCPT'] as const)('an answer at %s that never comes to its end', async (phase) => {
    const { message } = await failureAgainst({ [phase]: 'trickle' }, { ...PATIENT, command: 300 })
    expect(message).toBe('The relay took too long: no answer to a command within 0.3 s.')
  })

  it('no answer to a mail of which all was sent at once', async () => {
    const relay = await openScriptedRelay({ EHLO: '250-relay\r\n250 PIPELINING', RCPT: undefined, DATA: undefined })
    expect(await failureOf(relay.url, { ...PATIENT, command: 150 })).toBeInstanceOf(RelayTrouble)
    expect(relay.dialogues[0]).toMatch(/^MAIL .*\r\nRCPT .*\r\nDATA\r\n/m)
  })

  it('no listener', async () => {
    const error = await failureOf('smtp://127.0.0.1:1')
    expect(error).toBeInstanceOf(RelayTrouble)
    expect(error.message).toContain('ECONNREFUSED')
  })

  it('no such host', async () => {
    expect(await failureOf('smtp://relay.invalid:25')).toBeInstanceOf(RelayTrouble)
  })
})

describe('after a failure', () => {
  it('of the login nothing is sent over that connection, and the next mail logs in over another', async () => {
    let logins = 0
    const relay = await openScriptedRelay({
      EHLO: '250-relay\r\n250 AUTH PLAIN LOGIN',
      AUTH: () => (++logins === 1 ? '454 4.7.0 not now' : '235 2.7.0 yes'),
    })
    const transport = createSmtpTransport({ ...SETTINGS, url: `smtp://mailer:secret@127.0.0.1:${relay.port}` })
    onTestFinished(() => transport.close())
    await expect(transport.send(confirmation())).rejects.toBeInstanceOf(RelayTrouble)
    await transport.send(confirmation())
    expect(relay.dialogues).toHaveLength(2)
    const [first, second] = relay.dialogues
    expect(first).not.toContain('MAIL FROM')
    expect(second).toMatch(/AUTH PLAIN [\s\S]*MAIL FROM/)
  })

  it('one refused mail does not hold up or fail another', async () => {
    const relay = await openScriptedRelay({
      RCPT: (line) => (line.includes('gone@') ? '550 5.1.1 unknown' : '250 2.1.5 yes'),
    })
    const transport = createSmtpTransport({ ...SETTINGS, url: relay.url })
    onTestFinished(() => transport.close())
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        transport.send(confirmation({ to: `${i % 4 === 0 ? 'gone' : 'here'}@example.com` })),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, (_, i) => (i % 4 === 0 ? 'rejected' : 'fulfilled')),
    )
  })

  it('mails that the relay never answers hold up no other', async () => {
    const relay = await openScriptedRelay({
      RCPT: (line) => (line.includes('@tarpit.example') ? undefined : '250 2.1.5 yes'),
    })
    const transport = createSmtpTransport({ ...SETTINGS, url: relay.url })
    onTestFinished(() => transport.close())
    let slowAreOver = false
    const slow = Promise.allSettled(
      Array.from({ length: 3 }, (_, n) => transport.send(confirmation({ to: `a${n}@tarpit.example` }))),
    ).finally(() => {
      slowAreOver = true
    })
    await Promise.all(Array.from({ length: 30 }, () => transport.send(confirmation())))
    expect(slowAreOver).toBe(false)
    relay.hangUp()
    for (const outcome of await slow) expect(outcome.status).toBe('rejected')
  })

  it('connections that the relay has dropped while idle are replaced without a failure', async () => {
    const relay = await openScriptedRelay({})
    const transport = createSmtpTransport({ ...SETTINGS, url: relay.url })
    onTestFinished(() => transport.close())
    const sendMany = () => Promise.all(Array.from({ length: 10 }, () => transport.send(confirmation())))
    await sendMany()
    relay.hangUp()
    await sendMany()
    expect(relay.dialogues.join('').match(/^DATA\r$/gm)?.length).toBeGreaterThanOrEqual(20)
  })
})

describe('what is said of a failure', () => {
  it.each([
    '550 5.1.1 <brian.smith@example.com>: Recipient address rejected',
    '550 5.1.1 user BRIAN.SMITH at example.com unknown',
    '550 5.1.1 "brian.smith" is not here, nor is bounce+brian.smith=example.com@relay.example',
    '550 5.1.1 mailto:brian.smith%40example.com',
    '550-5.1.1 brian.smith@example.com\r\n550 5.1.1 http://help.example/?u=brian.smith',
  ])('never repeats the address: %s', async (answer) => {
    for (const phase of ['MAIL', 'RCPT', 'end of data'] as const) {
      const error = await failureAgainst({ [phase]: answer })
      const all = `${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause}`
      expect(all).not.toMatch(/brian|smith/i)
      expect(all).not.toContain('example.com')
      expect(error.message).toContain('550')
      expect(error.message).not.toMatch(/[\r\n]/)
    }
  })

  it('contains the phase and the answer, which is what an operator needs', async () => {
    const { message } = await failureAgainst({ RCPT: '550 5.1.1 unknown user' })
    expect(message).toBe('The relay answered RCPT TO with: 550 5.1.1 unknown user')
  })

  it('never repeats the credentials, and needs no more than a few lines', async () => {
    const relay = await openScriptedRelay({
      EHLO: '250-relay\r\n250 AUTH PLAIN LOGIN',
      AUTH: (line) => `535 5.7.8 bad credentials ${line} mailer s3cret/%& ${'x'.repeat(5_000)}`,
    })
    const error = await failureOf(`smtp://mailer:s3cret%2F%25%26@127.0.0.1:${relay.port}`)
    expect(relay.dialogues[0]).toContain(Buffer.from('\0mailer\0s3cret/%&').toString('base64'))
    expect(error).toBeInstanceOf(RelayTrouble)
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toMatch(
      /s3cret|mailer|AG1haWxlc/,
    )
    expect(error.message.length).toBeLessThan(500)
  })
})
