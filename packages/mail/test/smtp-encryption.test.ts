import { describe, expect, it, onTestFinished } from 'vitest'
import { createSmtpTransport, MailSettingsNotUsable, RelayTrouble } from '../src/index.ts'
import { type Relay, relayAddress } from '../src/relay.ts'
import { confirmation, SETTINGS } from './mails.ts'
import { openScriptedRelay } from './scripted-relay.ts'
import { openSink } from './sink.ts'

const sending = async (url: string): Promise<void> => {
  const transport = createSmtpTransport({ ...SETTINGS, url })
  onTestFinished(() => transport.close())
  await transport.send(confirmation())
}

const accounts = {
  onAuth: (
    { username, password }: { username?: string | undefined; password?: string | null | undefined },
    _session: unknown,
    callback: (error: Error | null, response?: { user?: string }) => void,
  ) =>
    username === 'us@er' && password === 'p:a/s s%' ? callback(null, { user: username }) : callback(new Error('no')),
}
const CREDENTIALS = 'us%40er:p%3Aa%2Fs%20s%25'

// Reaches this machine as 127.0.0.1 does, but is no loopback address by name: a relay elsewhere, as far as we know.
const ELSEWHERE = '0.0.0.0'
const hasElsewhere = process.platform !== 'win32'

describe('without credentials', () => {
  it('a relay that offers STARTTLS gets the mail encrypted, whatever its certificate', async () => {
    const sink = await openSink()
    await sending(sink.url)
    expect(sink.received[0]?.session.secure).toBe(true)
  })

  it('a relay that offers none gets it as it is', async () => {
    const sink = await openSink({ disabledCommands: ['STARTTLS'] })
    await sending(sink.url)
    expect(sink.received[0]?.session.secure).toBe(false)
  })

  it('a relay that offers STARTTLS and then will not gets it as it is', async () => {
    const relay = await openScriptedRelay({ EHLO: '250-relay\r\n250 STARTTLS', STARTTLS: '454 4.7.0 not now' })
    await sending(relay.url)
    expect(relay.dialogues[0]).toMatch(/STARTTLS\r\n[\s\S]*MAIL FROM/)
  })
})

describe('with credentials', () => {
  it('a relay on this machine gets them, decoded, also without encryption', async () => {
    const sink = await openSink({
      ...accounts,
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
    })
    await sending(`smtp://${CREDENTIALS}@127.0.0.1:${sink.port}`)
    expect(sink.received[0]?.session.user).toBe('us@er')
  })

  it('wrong ones are worth another try, once somebody has mended them', async () => {
    const sink = await openSink({ ...accounts, authOptional: false })
    await expect(sending(`smtp://us%40er:wrong@127.0.0.1:${sink.port}`)).rejects.toBeInstanceOf(RelayTrouble)
    expect(sink.received).toHaveLength(0)
  })

  it('a relay that offers no login, for a while maybe, does not get the mail', async () => {
    const relay = await openScriptedRelay({ EHLO: '250 relay' })
    await expect(sending(`smtp://${CREDENTIALS}@127.0.0.1:${relay.port}`)).rejects.toEqual(
      new RelayTrouble('The relay could not be used: it offers no login, though a user and a password are set'),
    )
    expect(relay.dialogues.join('')).not.toContain('MAIL FROM')
  })

  it.runIf(hasElsewhere)(
    'a relay elsewhere that offers no STARTTLS, or has it stripped, gets neither them nor the mail',
    async () => {
      for (const script of [
        { EHLO: '250-relay\r\n250 AUTH PLAIN LOGIN' },
        { EHLO: '250-relay\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN', STARTTLS: '454 4.7.0 not now' },
      ]) {
        const relay = await openScriptedRelay(script)
        await expect(sending(`smtp://${CREDENTIALS}@${ELSEWHERE}:${relay.port}`)).rejects.toBeInstanceOf(RelayTrouble)
        expect(relay.dialogues.join('')).not.toMatch(/AUTH|MAIL FROM/)
      }
    },
  )

  it.runIf(hasElsewhere)('a relay elsewhere with an untrusted certificate gets neither them nor the mail', async () => {
    const asked: string[] = []
    const sink = await openSink({
      authOptional: false,
      onAuth: ({ username }, _session, callback) => {
        asked.push(String(username))
        callback(null, { user: username })
      },
    })
    await expect(sending(`smtp://${CREDENTIALS}@${ELSEWHERE}:${sink.port}`)).rejects.toThrow(/certificate/i)
    expect(asked).toEqual([])
    expect(sink.received).toHaveLength(0)
  })
})

describe('smtps', () => {
  it('insists on a good certificate, credentials or not', async () => {
    const sink = await openSink({ secure: true })
    await expect(sending(`smtps://127.0.0.1:${sink.port}`)).rejects.toThrow(/certificate/i)
    expect(sink.received).toHaveLength(0)
  })

  it('never falls back to a relay that does not speak TLS', async () => {
    const sink = await openSink()
    await expect(sending(`smtps://127.0.0.1:${sink.port}`)).rejects.toBeInstanceOf(RelayTrouble)
    expect(sink.received).toHaveLength(0)
  })
})

describe('the address of a relay', () => {
  it.each<[string, Partial<Relay>]>([
    ['smtp://relay.example.com', { host: 'relay.example.com', port: 587, secure: false, encryption: 'if-offered' }],
    ['smtps://relay.example.com', { port: 465, secure: true, encryption: 'required' }],
    ['smtp://relay.example.com:25/', { port: 25 }],
    ['smtp://u:p@relay.example.com', { encryption: 'required', credentials: { user: 'u', pass: 'p' } }],
    ['smtp://u:p@localhost:25', { encryption: 'if-offered' }],
    ['smtp://u:p@127.1.2.3', { encryption: 'if-offered' }],
    ['smtp://u:p@[::1]:25', { host: '::1', encryption: 'if-offered' }],
    ['smtp://u:p@127.evil.example', { encryption: 'required' }],
    ['smtp://u:p@localhost.evil.example', { encryption: 'required' }],
    ['smtps://u:p@localhost', { encryption: 'required' }],
    ['smtp://us%40er:p%3Aa%2Fs@h', { credentials: { user: 'us@er', pass: 'p:a/s' } }],
  ])('%s is read as %j', (url, expected) => {
    expect(relayAddress(url)).toMatchObject(expected)
  })

  it.each([
    ...['', 'relay.example.com', 'relay.example.com:25', 'http://relay.example.com', 'smtp://', 'smtp:///path'],
    ...['smtp://relay/path', 'smtp://relay?pool=false', 'smtp://relay?tls.rejectUnauthorized=false', 'smtp://relay#x'],
    ...['smtp://relay:99999', 'smtp://secretuser@relay', 'smtp://:secretpass@relay'],
    'smtp://secretuser:secretpass%@relay',
  ])('%j is refused with what to do, and its secrets are not repeated', (url) => {
    const error = (() => {
      try {
        return relayAddress(url)
      } catch (thrown) {
        return thrown as Error
      }
    })()
    expect(error).toBeInstanceOf(MailSettingsNotUsable)
    const { message, stack, cause } = error as Error
    expect(message).toContain(' Use smtp://host:port or smtps://')
    expect(`${message} ${stack} ${cause}`).not.toMatch(/secret(?:user|pass)/)
  })
})
