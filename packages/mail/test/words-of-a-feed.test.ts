import type { Feed } from '@rollcall/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeMail } from '../src/compose-mail.ts'
import { mailOrigin } from '../src/mail-settings.ts'
import { MailTemplates } from '../src/mail-templates.ts'
import { confirmation, feed, SETTINGS } from './mails.ts'
import { decodeWords, headerOf, type ParsedMessage, parseMessage, unquoted } from './parse-message.ts'

const templates = new MailTemplates(undefined)
const origin = mailOrigin(SETTINGS.from, SETTINGS.publicUrl)

const messageOf = (of: Partial<Feed>): ParsedMessage =>
  parseMessage(composeMail(confirmation({ feed: feed(of) }), origin, templates).bytes)

const HEADERS = [
  ...['Auto-Submitted', 'Content-Type', 'Date', 'From', 'List-ID', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
  ...['MIME-Version', 'Message-ID', 'Subject', 'To', 'X-Mailgun-Track', 'X-Pm-Tracklinks', 'X-Pm-Trackopens'],
  'X-SMTPAPI',
]

/** Nothing but what every mail has, each once. */
const expectNothingAdded = ({ headers, parts }: ParsedMessage): void => {
  expect(headers.map(([name]) => name).sort()).toEqual(HEADERS)
  expect(parts).toHaveLength(2)
}

/** Name and address as a reader shows them. */
const senderIn = (message: ParsedMessage) => {
  const [, shown = '', address] = /^(.*?) ?<([^<>]*)>$/.exec(headerOf(message, 'From')!) ?? []
  const quoted = /^"(.*)"$/.exec(shown)
  return { name: quoted ? quoted[1]!.replace(/\\(.)/g, '$1') : decodeWords(shown), address: unquoted(address ?? '') }
}

const senderShown = async (name: string, address = 'news@zurich.example') => {
  const message = messageOf({ sender: { name, address } })
  expectNothingAdded(message)
  return senderIn(message)
}

const CONTROLS = [...Array.from({ length: 32 }, (_, code) => code), ...upTo(0x7f, 0x9f), 0x2028, 0x2029]

describe('the sender of a feed', () => {
  it('is who its mails are from', async () => {
    expect(await senderShown('Züricher Nachrichten')).toEqual({
      name: 'Züricher Nachrichten',
      address: 'news@zurich.example',
    })
  })

  it('may have no name', async () => {
    const message = messageOf({ sender: { name: '', address: 'news@zurich.example' } })
    expect(headerOf(message, 'From')).toBe('news@zurich.example')
  })

  it('is the sender of the service where the feed has none', async () => {
    expect(headerOf(messageOf({}), 'From')).toBe('Rollcall <no-reply@example.com>')
  })

  it.each([
    'Brian "the news" Smith',
    'News, and more',
    'News <victim@example.org>',
    'victim@example.org, News',
    'ends in a backslash \\',
    '"',
    '(comment) : ; [x]',
    '週刊ニュース'.repeat(30),
    '👩‍👩‍👧‍👦 family 🏳️‍🌈'.repeat(6),
    'a'.repeat(200),
    'word '.repeat(40).trim(),
    'é'.repeat(200),
  ])('is shown under the name %j, whole', async (name) => {
    expect(await senderShown(name)).toEqual({ name, address: 'news@zurich.example' })
  })

  it('is cut where its name is longer than anybody would read', async () => {
    for (const character of ['a', 'é', '👩'])
      expect((await senderShown(character.repeat(5_000))).name).toBe(character.repeat(200))
    expect((await senderShown('a '.repeat(5_000))).name).toBe('a '.repeat(100).trim())
  })

  it.each(CONTROLS)('takes no header and no address from a name with the character %i', async (code) => {
    const control = String.fromCharCode(code)
    const name = `News${control}Bcc: victim@example.org${control}${control}<script>`
    expect(await senderShown(name)).toEqual({
      name: 'News Bcc: victim@example.org <script>',
      address: 'news@zurich.example',
    })
  })

  it.each(['=?utf-8?q?evil?=', 'x =?utf-8?q?evil?= y', '=?UTF-8?B?ZXZpbA==?=', 'Grüße =?utf-8?q?evil?='])(
    'is not decoded once more: %j',
    async (name) => {
      const { name: shown } = await senderShown(name)
      expect(decodeWords(shown)).toBe(name.replaceAll('=?', '= ?'))
    },
  )

  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const BLANK = /[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g

  it('is shown as typed, whatever is typed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 120 }), async (name) => {
        const shown = name.toWellFormed().replace(BLANK, ' ').trim().replaceAll('=?', '= ?')
        const message = messageOf({ sender: { name, address: 'news@zurich.example' } })
        expectNothingAdded(message)
        if (shown === '') expect(headerOf(message, 'From')).toBe('news@zurich.example')
        else expect(senderIn(message).name).toBe(shown)
      }),
      { numRuns: 200, seed: 1 },
    )
  })

  it.each([
    ...['a@example.com\r\nBcc: victim@example.org', 'a@example.com, victim@example.org'],
    ...['a@example.com>, <victim@example.org', 'group: victim@example.org;', '"quoted sender"@example.com'],
    ...['a..b@example.com', ''],
  ])('adds no header and no recipient by the address %j', async (address) => {
    const message = messageOf({ sender: { name: 'News', address } })
    expect(headerOf(message, 'To')).toBe('brian.smith@example.com')
    for (const [name] of message.headers) expect(HEADERS).toContain(name)
  })
})

describe('title, description and wording of a feed', () => {
  it.each(CONTROLS)('add neither header nor part nor end by the character %i', async (code) => {
    const control = String.fromCharCode(code)
    const text = `News${control}X-Evil: yes${control}${control}--=_-287vl3s6jj2${control}.${control}QUIT`
    const message = messageOf({
      title: text,
      description: text,
      wordings: [{ version: 1, text, since: 0 }],
    })
    expectNothingAdded(message)
    expect(headerOf(message, 'Subject')).toBe('Please confirm: News X-Evil: yes --=_-287vl3s6jj2 . QUIT')
    expect(headerOf(message, 'List-Id')).toBe('"News X-Evil: yes --=_-287vl3s6jj2 . QUIT" <default.news.example.com>')
  })

  it('keep every header line within what RFC 5322 allows, and none of blanks alone', async () => {
    for (const title of [' '.repeat(500), `a${' '.repeat(500)}b`, 'a'.repeat(5_000), 'ü '.repeat(2_000)]) {
      const { bytes } = composeMail(confirmation({ feed: feed({ title }) }), origin, templates)
      const [head = ''] = bytes.toString('latin1').split('\r\n\r\n')
      for (const line of head.split('\r\n')) {
        expect(line.length).toBeLessThanOrEqual(998)
        expect(line.trim()).not.toBe('')
      }
    }
  })

  it('are shown as they are now: the last version of the wording, in both parts, its lines as paragraphs', async () => {
    const wordings = [
      { version: 1, text: 'An older promise.', since: 0 },
      { version: 2, text: 'I want <the news>.\n\n  They come weekly. \r\n', since: 1 },
    ]
    const { parts } = messageOf({ wordings })
    const [text = '', html = ''] = parts.map(({ body }) => body)
    expect(text).toContain('\r\n\r\nI want <the news>.\r\n\r\nThey come weekly.\r\n\r\n')
    expect(html).toMatch(/>I want &lt;the news&gt;\.<\/p>\s*<p [^>]*>They come weekly\.<\/p>/)
    expect(`${text}${html}`).not.toContain('older')
  })

  it('leave no trace where the feed has no wording, or an empty one', async () => {
    const plain = messageOf({})
    const empty = messageOf({ wordings: [{ version: 1, text: ' \n\t', since: 0 }] })
    expect(empty.parts).toEqual(plain.parts)
  })
})

function upTo(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, n) => first + n)
}
