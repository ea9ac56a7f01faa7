import { MailRefusedPermanently } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSmtpTransport } from '../src/index.ts'
import {
  alreadySubscribed,
  confirmation,
  feed,
  LINKS,
  MOVE,
  PREFERENCES,
  preferences,
  SETTINGS,
  UNDO,
} from './mails.ts'
import { decodeWords, headerOf, parseMessage, unquoted } from './parse-message.ts'
import { openPostfix } from './postfix/open-postfix.ts'

/** What it writes above a message that it takes. */
const TRACE = /^(?:Return-Path|X-Original-To|Delivered-To|Received)$/

describe('Postfix, as Debian has it,', () => {
  it('takes every mail as it was meant, once, and files it byte by byte; what it refuses permanently is refused permanently', async () => {
    const mta = await openPostfix()
    const transport = createSmtpTransport({ ...SETTINGS, url: mta.url })
    onTestFinished(() => transport.close())
    const sender = { name: 'Zürich, daily', address: 'daily@zurich.example' }
    const wordings = [{ version: 1, text: '.\n.. I want it\nFrom time to time', since: 0 }]
    const odd = [
      "o'hara+x@example.com",
      'a..b@example.com',
      `${'x'.repeat(64)}@example.com`,
      '!#$%&*/=?^_`{|}~@example.com',
    ]
    const mails = ['en', 'de', 'fr', 'es'].flatMap((locale, n) => [
      confirmation({ locale, to: odd[n]!, messageId: `c${n}.0@n.example`, feed: feed({ sender, wordings }) }),
      alreadySubscribed({ locale, to: 'ada@example.com', messageId: `a${n}.0@n.example` }),
      preferences({
        locale,
        to: 'ada@example.com',
        messageId: `p${n}.0@n.example`,
        feed: feed({ title: '週刊'.repeat(40) }),
      }),
    ])
    await Promise.all(mails.map((mail) => transport.send(mail)))
    const tooLong = [{ version: 1, text: 'More than it takes. '.repeat(10_000), since: 0 }]
    const tooLarge = transport.send(confirmation({ to: 'ada@example.com', feed: feed({ wordings: tooLong }) }))
    await expect(tooLarge).rejects.toThrow(MailRefusedPermanently)

    const stored = await mta.stored(mails.length)
    expect(stored).toHaveLength(mails.length)
    for (const { from, to, source } of stored) {
      const message = parseMessage(Buffer.from(source, 'latin1'))
      const id = headerOf(message, 'Message-ID')
      const mail = mails.find(({ messageId }) => id === `<${messageId}>`)!
      expect(from).toBe('no-reply@example.com')
      expect([unquoted(to), unquoted(headerOf(message, 'To')!.replace(/^<(.*)>$/, '$1'))]).toEqual([mail.to, mail.to])
      expect(decodeWords(headerOf(message, 'From')!)).toMatch(
        mail.kind === 'confirmation' ? /^Zürich, daily <daily@zurich\.example>$/ : /^Rollcall <no-reply@example\.com>$/,
      )
      expect(headerOf(message, 'Received')).toContain(mta.encrypts ? ' with ESMTPS ' : ' with ESMTP ')
      expect(message.headers.filter(([name]) => !TRACE.test(name))).toHaveLength(15)
      const [text = '', html = ''] = message.parts.map(({ body }) => body)
      const link = {
        ...{ confirmation: LINKS.confirm, 'already-subscribed': LINKS.unsubscribe, preferences: PREFERENCES },
        ...{ move: MOVE, moved: UNDO, reminder: LINKS.confirm, welcome: LINKS.unsubscribe },
      }[mail.kind]
      expect(text.split('\r\n')).toContain(link)
      expect(html).toContain(`href="${link}"`)
      expect(html).toContain(`<html lang="${mail.locale}">`)
      if (mail.kind === 'confirmation')
        expect(text).toContain('\r\n\r\n.\r\n\r\n.. I want it\r\n\r\nFrom time to time\r\n')
    }
  })
})
