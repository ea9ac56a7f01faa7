import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { RelayTrouble } from '../src/index.ts'
import { inspectRelay } from '../src/inspect-relay.ts'
import { openScriptedRelay } from './scripted-relay.ts'
import { openSink } from './sink.ts'

const accounts = {
  onAuth: ({ username, password }, _session, callback) => {
    if (username === 'user' && password === 'secret') callback(null, { user: username })
    else callback(new Error('Invalid username or password'))
  },
} satisfies SMTPServerOptions

describe('an inspection of a relay', () => {
  it('reports whether it is encrypted, by a certificate of which life, and sends nothing', async () => {
    const sink = await openSink()
    expect(await inspectRelay({ url: sink.url })).toEqual({
      ...{ host: '127.0.0.1', port: sink.port, login: 'none' },
      protection: { distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT', expires: expect.any(Number) },
    })
    expect(sink.received).toEqual([])
    const open = await openSink({ disabledCommands: ['STARTTLS'] })
    expect((await inspectRelay({ url: open.url })).protection).toBeUndefined()
  })

  it('logs in, and reports what the relay says where it cannot, without the password', async () => {
    const sink = await openSink({ ...accounts, authOptional: false })
    const at = `@127.0.0.1:${sink.port}`
    expect((await inspectRelay({ url: `smtp://user:secret${at}` })).login).toBe('taken')
    const failure = inspectRelay({ url: `smtp://user:wrongpassword${at}` })
    await expect(failure).rejects.toBeInstanceOf(RelayTrouble)
    await expect(failure).rejects.not.toThrow(/wrongpassword/)
    const dumb = await openScriptedRelay({ EHLO: '250 relay' })
    expect((await inspectRelay({ url: `smtp://user:secret@127.0.0.1:${dumb.port}` })).login).toBe('not-offered')
  })

  it('sends a test mail where one is asked for', async () => {
    const sink = await openSink()
    const testMail = { from: 'News <news@example.com>', to: 'ops@example.com', publicUrl: 'https://news.example' }
    await inspectRelay({ url: sink.url, testMail })
    expect(sink.received).toMatchObject([{ from: 'news@example.com', to: ['ops@example.com'] }])
    const source = sink.received[0]?.source.toString() ?? ''
    expect(source).toMatch(/^From: News <news@example\.com>\r$/m)
    expect(source).toMatch(/^Subject: A test mail from news\.example\r$/m)
    expect(source).toMatch(/^Date: .+\r$/m)
    expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(source).toContain('\r\n\r\nIf you can read this')
  })

  it('reports a relay that is unreachable, and one that accepts no client', async () => {
    await expect(inspectRelay({ url: 'smtp://127.0.0.1:1' })).rejects.toThrow('ECONNREFUSED')
    await expect(inspectRelay({ url: 'smtps://127.0.0.1:1' })).rejects.toBeInstanceOf(RelayTrouble)
    const sink = await openSink({ secure: true })
    await expect(inspectRelay({ url: `smtps://127.0.0.1:${sink.port}` })).rejects.toThrow(/certificate/i)
  })
})
