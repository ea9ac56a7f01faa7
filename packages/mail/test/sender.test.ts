import { describe, expect, it } from 'vitest'
import { createFileTransport, createSmtpTransport, MailSettingsNotUsable } from '../src/index.ts'
import { mailOrigin, parseSender } from '../src/mail-settings.ts'

describe('the sender of mails', () => {
  it.each([
    ['Rollcall <no-reply@localhost>', 'Rollcall', 'no-reply@localhost'],
    ['no-reply@example.com', '', 'no-reply@example.com'],
    ['<no-reply@example.com>', '', 'no-reply@example.com'],
    ['  Rollcall   <no-reply@example.com> ', 'Rollcall', 'no-reply@example.com'],
    ['"Rollcall, Inc. <3 \\"you\\" \\\\" <a@example.com>', 'Rollcall, Inc. <3 "you" \\', 'a@example.com'],
    ['Rollcall, Inc. <a@example.com>', 'Rollcall, Inc.', 'a@example.com'],
    ['Zürich Nachrichten <post@zürich.example>', 'Zürich Nachrichten', 'post@xn--zrich-kva.example'],
    ['No.Reply+x@Example.COM', '', 'No.Reply+x@example.com'],
  ])('%j is read as name %j and address %j', (from, name, address) => {
    expect(parseSender(from)).toEqual({ name, address })
  })

  it.each([
    '',
    ' ',
    'Rollcall',
    'Rollcall <>',
    'Rollcall <no-reply>',
    'Rollcall <a@b> trailing',
    'a@example.com, b@example.com',
    'A <a@example.com>, B <b@example.com>',
    'a@b <c@example.com>',
    'Rollcall <a@b@c>',
    'Rollcall <a b@example.com>',
    'Rollcall\r\nBcc: x@example.com <a@example.com>',
    'Rollcall <a@example.com\n>',
    'Rollcall\u2028 <a@example.com>',
    'Rollcall \ud800 <a@example.com>',
    `${'a'.repeat(65)}@example.com`,
    `${'x'.repeat(1000)} <a@example.com>`,
    'a@-example.com',
    'a@ex%61mple.com',
    'a@xn--a.example',
    '"Rollcall <a@example.com>',
  ])('%j is refused when the transport is made, with an example of a good one', (from) => {
    const publicUrl = 'https://news.example.com'
    for (const create of [
      () => createSmtpTransport({ url: 'smtp://relay', from, publicUrl }),
      () => createFileTransport({ folder: 'never-made', from, publicUrl }),
    ]) {
      expect(create).toThrow(MailSettingsNotUsable)
      expect(create).toThrow('such as: Rollcall <no-reply@example.com>')
    }
  })
})

describe('where mails come from', () => {
  it.each([
    ['https://news.example.com', 'news.example.com', 'news.example.com'],
    ['https://news.example.com:8443/sub/path', 'news.example.com:8443', 'news.example.com'],
    ['http://localhost:8080', 'localhost:8080', 'localhost'],
    ['http://127.0.0.1:8080', '127.0.0.1:8080', 'sender.example'],
    ['http://[::1]:8080', '[::1]:8080', 'sender.example'],
    ['https://bücher.example', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('%s is called %s, and its ids end in %s: never in an IP address', (publicUrl, host, domain) => {
    expect(mailOrigin('no-reply@sender.example', publicUrl)).toMatchObject({ host, domain })
  })

  it('must be an address', () => {
    expect(() => mailOrigin('no-reply@example.com', 'news')).toThrow(MailSettingsNotUsable)
  })
})
