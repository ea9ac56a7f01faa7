import { MailUnanswered } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSmtpTransport, createThreadedSmtpTransport, RelayTrouble, type SmtpTimeouts } from '../src/index.ts'
import { confirmation, SETTINGS } from './mails.ts'
import { openScriptedRelay, type Script } from './scripted-relay.ts'

const openAgainst = async (script: Script, timeouts?: Partial<SmtpTimeouts>, create = createSmtpTransport) => {
  const relay = await openScriptedRelay(script)
  const transport = create({ ...SETTINGS, url: relay.url, timeouts })
  onTestFinished(() => transport.close())
  const failure = (mail = confirmation()): Promise<Error> =>
    transport.send(mail).then(
      () => expect.fail('it was sent'),
      (error: Error) => error,
    )
  /** How often the relay got each mail whole. */
  const wholes = () => relay.dialogues.join('').match(/\r\n\.\r\n/g)?.length ?? 0
  const begun = () => relay.dialogues.join('').match(/^MAIL FROM/gm)?.length ?? 0
  return { relay, transport, failure, wholes, begun }
}

const asleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await asleep(5)
}

describe('a mail whose end the relay got, and did not answer,', () => {
  it.each([
    ['hangs up', 'hang up', /closed|ECONNRESET/],
    ['says nothing', undefined, /no answer to the message within 0\.15 s/],
    ['says what is no answer', 'HTTP/1.1 400 Bad Request', /HTTP/],
    ['begins an answer without an end', 'trickle', /no answer to the message within 0\.15 s/],
  ] as const)('may have been delivered: it %s', async (_, answer, why) => {
    const { failure, wholes } = await openAgainst({ 'end of data': answer }, { dot: 150 })
    const error = await failure()
    expect(error).toBeInstanceOf(MailUnanswered)
    expect(error.message).toMatch(/^The mail may have been delivered: the relay got all of it, and gave no answer/)
    expect(error.message).toMatch(why)
    expect(wholes()).toBe(1)
  })

  it('is not sent once more over another connection', async () => {
    let mails = 0
    const { transport, failure, wholes } = await openAgainst({
      'end of data': () => (++mails === 1 ? '250 2.0.0 taken' : 'hang up'),
    })
    await transport.send(confirmation())
    expect(await failure()).toBeInstanceOf(MailUnanswered)
    expect(wholes()).toBe(2)
  })

  it('leaves no session that another mail could go over', async () => {
    let mails = 0
    const { transport, failure, relay } = await openAgainst({
      'end of data': () => (++mails === 1 ? 'what?' : '250 2.0.0 taken'),
    })
    expect(await failure()).toBeInstanceOf(MailUnanswered)
    await transport.send(confirmation())
    expect(relay.dialogues).toHaveLength(2)
  })
})

describe('a slow relay', () => {
  const QUICK = { connect: 100, greeting: 100, command: 100, data: 100, block: 100, dot: 100 }

  it.each([
    ['greeting', { greeting: { late: 250 } }, { greeting: 5_000 }],
    ['RCPT', { RCPT: { late: 250 } }, { command: 5_000 }],
    ['DATA', { DATA: { late: 250 } }, { data: 5_000 }],
    ['the end', { 'end of data': { late: 250 } }, { dot: 5_000 }],
  ] as const)('has the time for each part of the dialogue, and no other: %s', async (_, script, patience) => {
    const { transport, wholes } = await openAgainst(script, { ...QUICK, ...patience })
    await transport.send(confirmation())
    expect(wholes()).toBe(1)
    const hasty = await openAgainst(script, QUICK)
    await hasty.failure()
  })

  it('may take that time for each answer of one mail', async () => {
    const late = { late: 600 }
    const { transport } = await openAgainst({ MAIL: late, RCPT: late, DATA: late }, { command: 1_500, data: 1_500 })
    await transport.send(confirmation())
  })
})

describe('a session that is used again', () => {
  it('is looked after first: a relay that has gone gets the mail once, over another connection', async () => {
    const { transport, relay, begun } = await openAgainst({ RSET: 'hang up' })
    await transport.send(confirmation())
    await transport.send(confirmation())
    expect(relay.taken).toHaveLength(2)
    expect([begun(), relay.dialogues.length]).toEqual([2, 2])
  })

  it('is not left for another when the mail was begun', async () => {
    let mails = 0
    const { transport, failure, begun } = await openAgainst({ MAIL: () => (++mails === 1 ? '250 yes' : 'hang up') })
    await transport.send(confirmation())
    expect(await failure()).toBeInstanceOf(RelayTrouble)
    expect(begun()).toBe(2)
  })
})

describe.each([
  ['here', createSmtpTransport],
  [
    'in its thread',
    (options: Parameters<typeof createSmtpTransport>[0]) => createThreadedSmtpTransport(options, () => {}),
  ],
])('closing %s', (_, create) => {
  it('breaks off what is under way, and says what may have been delivered', async () => {
    const { transport, relay, failure, wholes } = await openAgainst(
      { RCPT: (line) => (line.includes('begun@') ? undefined : '250 yes'), 'end of data': undefined },
      {},
      create,
    )
    const begun = failure(confirmation({ to: 'begun@example.com' }))
    const whole = failure()
    await until(() => wholes() === 1 && relay.dialogues.join('').includes('begun@'))
    await transport.close()
    expect(await begun).toBeInstanceOf(RelayTrouble)
    expect(await whole).toBeInstanceOf(MailUnanswered)
  })
})
