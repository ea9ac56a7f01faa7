import { readFileSync } from 'node:fs'
import type { FeedName } from '@rollcall/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createSmtpTransport } from '../src/index.ts'
import { confirmation, feed, LINKS, SETTINGS } from './mails.ts'
import { decodeWords, headerOf, parseMessage, unquoted } from './parse-message.ts'
import { openScriptedRelay } from './scripted-relay.ts'
import { openSink, type Received, startSink } from './sink.ts'

const openTransport = (url: string) => {
  const transport = createSmtpTransport({ ...SETTINGS, url })
  onTestFinished(() => transport.close())
  return transport
}

let relay: Awaited<ReturnType<typeof startSink>>
let toRelay: ReturnType<typeof createSmtpTransport>
beforeAll(async () => {
  relay = await startSink({ disabledCommands: ['STARTTLS'] })
  toRelay = createSmtpTransport({ ...SETTINGS, url: relay.url })
})
afterAll(async () => {
  await toRelay.close()
  await relay.close()
})

const sent = async (mail = confirmation()): Promise<Received> => {
  const before = relay.received.length
  await toRelay.send(mail)
  expect(relay.received).toHaveLength(before + 1)
  return relay.received[before]!
}

describe('a mail handed to a relay', () => {
  it('comes back to its sender, or to where it says; its reader sees the sender either way', async () => {
    const returnTo = 'bounces+287vl3s6jj2.20460.0123456789abcdef0123@news.example.com'
    const [usual, other] = [await sent(), await sent(confirmation({ returnTo }))]
    expect([usual.from, other.from]).toEqual(['no-reply@example.com', returnTo])
    const senderOf = ({ source }: Received) => headerOf(parseMessage(source), 'From')
    expect(senderOf(other)).toBe(senderOf(usual))
    expect(headerOf(parseMessage(other.source), 'Return-Path')).toBeUndefined()
  })

  it('has exactly the headers that the contract names', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const { headers } = parseMessage((await sent()).source)
    const [date] = headers.flatMap(([name, value]) => (name === 'Date' ? [value] : []))
    expect(date).toMatch(/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/)
    expect(Date.parse(date!)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(date!)).toBeLessThanOrEqual(Date.now())
    const boundary = '=_-287vl3s6jj2.0123456789abcdef01234567-Part_1'
    expect(headers.filter(([name]) => name !== 'Date').sort(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['Auto-Submitted', 'auto-generated'],
      ['Content-Type', `multipart/alternative; boundary="${boundary}"`],
      ['From', 'Rollcall <no-reply@example.com>'],
      ['List-ID', '"Weekly news" <default.news.example.com>'],
      ['List-Unsubscribe', `<${LINKS.unsubscribe}>`],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      ['MIME-Version', '1.0'],
      ['Message-ID', '<287vl3s6jj2.0123456789abcdef01234567@news.example.com>'],
      ['Subject', 'Please confirm: Weekly news'],
      ['To', 'brian.smith@example.com'],
      ['X-Mailgun-Track', 'no'],
      ['X-Pm-Tracklinks', 'None'],
      ['X-Pm-Trackopens', 'false'],
      ['X-SMTPAPI', expect.any(String)],
    ])
  })

  it('asks a relay to leave its links alone, and to add neither a picture nor a footer', async () => {
    const { filters } = JSON.parse(headerOf(parseMessage((await sent()).source), 'X-SMTPAPI') ?? '')
    const off = { settings: { enable: 0 } }
    expect(filters).toEqual({ clicktrack: off, opentrack: off, subscriptiontrack: off, ganalytics: off })
  })

  it('has a text part and then an HTML part, with all links intact in both', async () => {
    const { parts } = parseMessage((await sent()).source)
    expect(parts.map((part) => headerOf(part, 'Content-Type'))).toEqual([
      'text/plain; charset=utf-8',
      'text/html; charset=utf-8',
    ])
    const [text, html] = parts.map(({ body }) => body)
    expect(text!.split('\r\n')).toEqual(expect.arrayContaining([LINKS.confirm, LINKS.refuse]))
    expect(html).toContain(`href="${LINKS.confirm}"`)
    expect(html).toContain(`href="${LINKS.refuse}"`)
    expect(html).toContain('<html lang="en">')
  })

  it('keeps its Message-ID when sender and address of the service change between two tries', async () => {
    const sink = await openSink({ disabledCommands: ['STARTTLS'] })
    const elsewhere = createSmtpTransport({ from: 'a@b.example', publicUrl: 'https://new.example', url: sink.url })
    onTestFinished(() => elsewhere.close())
    await openTransport(sink.url).send(confirmation())
    await elsewhere.send(confirmation())
    const ids = sink.received.map(({ source }) => headerOf(parseMessage(source), 'Message-ID'))
    expect(ids).toEqual(Array(2).fill('<287vl3s6jj2.0123456789abcdef01234567@news.example.com>'))
  })

  it("goes by the address of the service where the feed has a sender of its own: bounces are the service's", async () => {
    const sender = { name: 'Zurich, daily', address: 'daily@zurich.example' }
    const { from, source } = await sent(confirmation({ feed: feed({ sender }) }))
    expect(from).toBe('no-reply@example.com')
    expect(headerOf(parseMessage(source), 'From')).toBe('"Zurich, daily" <daily@zurich.example>')
    expect(headerOf(parseMessage(source), 'Reply-To')).toBeUndefined()
  })

  it('names where answers go, if they do not go to the sender', async () => {
    const replyTo = { name: 'Zürich', address: 'editor@zurich.example' }
    const { source } = await sent(confirmation({ feed: feed({ replyTo }) }))
    expect(headerOf(parseMessage(source), 'Reply-To')).toBe('=?UTF-8?Q?Z=C3=BCrich?= <editor@zurich.example>')
  })

  it('has a List-Id of its own for each feed', async () => {
    const mail = confirmation({ feed: feed({ name: 'sports-2' as FeedName, title: 'Sports, "live"' }) })
    const listId = headerOf(parseMessage((await sent(mail)).source), 'List-Id')
    expect(listId).toBe('"Sports, \\"live\\"" <sports-2.news.example.com>')
  })

  it.each([
    'Wöchentliches — Neues',
    '週刊ニュース'.repeat(30),
    'Ω'.repeat(200),
    '👩‍👩‍👧‍👦 family 🏳️‍🌈'.repeat(8),
    'a'.repeat(200),
    'word '.repeat(40).trim(),
    '=?UTF-8?Q?not_encoded?=',
    '<b>&amp;"\'</b>',
    'ends in a backslash \\',
    '{{links.confirm}}',
    '',
  ])('carries the title %j whole, encoded as RFC 2047 wants', async (title) => {
    const message = parseMessage((await sent(confirmation({ feed: feed({ title }) }))).source)
    const subject = headerOf(message, 'Subject')!
    if (!title.startsWith('=?')) expect(decodeWords(subject)).toBe(`Please confirm: ${title}`.trim())
    expect(headerOf(message, 'List-Id')).toMatch(/ <default\.news\.example\.com>$/)
    expect(message.parts[0]!.body).toContain(`“${title}”`)
    const escaped = title.replace(
      /[&<>"']/g,
      (sign) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[sign]};`,
    )
    expect(message.parts[1]!.body).toContain(`“${escaped}”`)
  })

  it.each(['\r\n', '\n', '\r', '\u0000', '\u0085', '\u2028', '\v', '\f', '\r\n\r\n', '\r\n.\r\n', '\n.\r\n', '\r.\r'])(
    'takes no header, recipient or end from a title with %j',
    async (separator) => {
      const title = `News${separator}Bcc: victim@example.org${separator}RCPT TO:<victim@example.org>${separator}X: y`
      const { to, source } = await sent(confirmation({ feed: feed({ title, description: title }) }))
      expect(to).toEqual(['brian.smith@example.com'])
      const { headers, parts } = parseMessage(source)
      expect(headers).toHaveLength(15)
      expect(headers.map(([name]) => name)).not.toContain('Bcc')
      expect(parts).toHaveLength(2)
    },
  )

  it('ends no line but with CR LF, and no data but with its own end', async () => {
    const mail = confirmation({ feed: feed({ title: '.' }) })
    const source = (await sent(mail)).source.toString('latin1')
    expect(source.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })
})

describe('an address arrives as exactly itself:', () => {
  const LOCAL = "abcXYZ019.!#$%&'*+/=?^_`{|}~-"
  const odd = [
    "!#$%&'*+/=?^_`{|}~-@example.com",
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    '..@example.com',
  ]
  const long = [`${'a'.repeat(64)}@example.com`, `a@${'b'.repeat(63)}.example.com`, `a@${'b.'.repeat(120)}example.com`]
  const others = ['a@b', 'MiXed@example.com', 'x@xn--bcher-kva.example', '-@example.com']
  const numeric = ['a@127.1', 'a@0x7f.1', 'a@010.1', 'a@1.2.3', 'a@2130706433']

  /** Who the envelope and the header name, byte by byte as they came over the wire. */
  const namedBy = async (address: string) => {
    const relay = await openScriptedRelay({})
    await openTransport(relay.url).send(confirmation({ to: address }))
    const [taken, ...others] = relay.taken
    expect(others).toEqual([])
    return {
      senders: relay.dialogues[0]!.match(/^MAIL FROM:.*$/gm),
      recipients: taken!.recipients.map(unquoted),
      to: unquoted(headerOf(parseMessage(taken!.source), 'To')!.replace(/^<(.*)>$/, '$1')),
    }
  }

  it.each([...wptAddresses(), ...odd, ...long, ...others, ...numeric])('%s', async (address) => {
    const { senders, recipients, to } = await namedBy(address)
    expect(senders).toEqual(['MAIL FROM:<no-reply@example.com>'])
    expect(recipients).toEqual([address])
    expect(to).toBe(address)
  })

  it('any that a browser would take', async () => {
    const address = fc.string({ unit: fc.constantFrom(...LOCAL), minLength: 1, maxLength: 64 })
    await fc.assert(
      fc.asyncProperty(address, async (local) => {
        const { recipients, to } = await namedBy(`${local}@example.com`)
        expect([...recipients, to]).toEqual([`${local}@example.com`, `${local}@example.com`])
      }),
      { numRuns: 100, seed: 1 },
    )
  })
})

describe('the pool', () => {
  it('sends many at once over at most as many connections as it says, losing and doubling none', async () => {
    const sink = await openSink({ disabledCommands: ['STARTTLS'] })
    const transport = openTransport(sink.url)
    const ids = Array.from({ length: 60 }, (_, i) => `${i.toString(36)}.0123456789abcdef01234567@news.example.com`)
    await Promise.all(ids.map((messageId) => transport.send(confirmation({ messageId }))))
    const arrived = sink.received.map(({ source }) => headerOf(parseMessage(source), 'Message-ID'))
    expect(arrived.sort()).toEqual(ids.map((id) => `<${id}>`).sort())
    expect(sink.connections()).toBeLessThanOrEqual(transport.concurrency)
  })

  it('takes nothing when it is closed', async () => {
    const sink = await openSink({ disabledCommands: ['STARTTLS'] })
    const transport = createSmtpTransport({ ...SETTINGS, url: sink.url })
    await transport.send(confirmation())
    await transport.close()
    await expect(transport.send(confirmation())).rejects.toThrow('closed')
    expect(sink.received).toHaveLength(1)
  })

  it('connects no more once it is closed, also for a mail that it was about to begin', async () => {
    const silent = Promise.withResolvers<void>()
    const relay = await openScriptedRelay({
      greeting: () => (relay.dialogues.length > 1 ? undefined : '220 relay ESMTP'),
      RSET: () => void silent.resolve(),
    })
    const transport = openTransport(relay.url)
    await transport.send(confirmation())
    const second = transport.send(confirmation())
    second.catch(() => undefined)
    await silent.promise
    await transport.close()
    await expect(second).rejects.toThrow('closed')
    expect(relay.dialogues).toHaveLength(1)
  })
})

function wptAddresses(): readonly string[] {
  try {
    const file = new URL('../../../../shared/vectors/wpt.input-email.json', import.meta.url)
    const cases: { value: string; valid_in_browser: boolean }[] = JSON.parse(readFileSync(file, 'utf8')).cases
    return cases.filter(({ valid_in_browser }) => valid_in_browser).map(({ value }) => value.trim())
  } catch {
    return ['test@example.com']
  }
}
