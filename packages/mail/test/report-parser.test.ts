import { describe, expect, it } from 'vitest'
import { createReportParser } from '../src/index.ts'

const TOKEN = '8127340912345678.10123456789abcdef0123456789abcdef'

const parse = (text: string) => createReportParser().parse(Buffer.from(text.replaceAll('\n', '\r\n')))

const multipart = (type: string, ...parts: readonly string[]): string => `From: MAILER-DAEMON@mx.example.com
To: bounces@news.example.com
Message-ID: <1@mx.example.com>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${type};
 boundary="B"

${parts.map((part) => `--B\n${part}\n`).join('')}--B--
`

const TEXT = 'Content-Type: text/plain\n\nYour mail could not be delivered.\n'
const ORIGINAL = `Content-Type: message/rfc822

From: News <news@example.com>
List-Unsubscribe:
 <https://news.example.com/unsubscribe/${TOKEN}>
Subject: Confirm

Hello`

const statusOf = (...groups: readonly string[]): string =>
  `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.com\n\n${groups.join('\n\n')}\n`

const FAILED =
  'Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no\n such user'
const DELAYED = 'Final-Recipient: rfc822; ada@example.com\nAction: delayed\nStatus: 4.4.1 (connection timed out)'
const DELIVERED = 'Final-Recipient: rfc822; ada@example.com\nAction: delivered\nStatus: 2.0.0'

describe('a delivery status notification', () => {
  const failureOf = async (...groups: readonly string[]) =>
    await parse(multipart('delivery-status', TEXT, statusOf(...groups), ORIGINAL))

  it('says of a failure whether it was final, and its status', async () => {
    expect(await failureOf(FAILED)).toEqual({
      kind: 'bounce',
      failure: { permanent: true, status: '5.1.1', diagnostic: 'smtp; 550 no such user' },
      id: '<1@mx.example.com>',
    })
    expect(await failureOf(FAILED.replace('Status: 5.1.1\n', ''))).toMatchObject({
      failure: { permanent: true, status: undefined },
    })
    expect(await failureOf(FAILED.replace('5.1.1', '5.1.0 (permanent failure)'))).toMatchObject({
      failure: { status: '5.1.0' },
    })
  })

  it('has the words of a server from another field where the usual one is missing', async () => {
    const ironport = 'Action: failed\nStatus: 5.0.0\nX-Supplementary-Info: <mx #5.0.0 smtp; 550 "Unknown User">'
    expect(await failureOf(ironport)).toMatchObject({
      failure: { permanent: true, status: '5.0.0', diagnostic: expect.stringContaining('Unknown User') },
    })
  })

  it('is no failure where it is of a delivery, a delay or a relay, and of several recipients what was worst', async () => {
    expect(await failureOf(DELIVERED)).toEqual({ kind: 'delivery', id: '<1@mx.example.com>' })
    expect(await failureOf(DELIVERED, DELAYED)).toMatchObject({ kind: 'delivery' })
    for (const action of ['delayed', 'relayed', 'expanded', 'constructor'])
      expect(await failureOf(DELAYED.replace('delayed', action))).toEqual({ kind: 'other' })
    expect(await failureOf(DELIVERED, DELAYED, FAILED)).toMatchObject({ failure: { permanent: true } })
  })

  it('is judged by the recipient of whom it says most, wherever that one stands', async () => {
    const policy = FAILED.replace('5.1.1', '5.7.1').replace('no\n such user', '5.7.1 policy')
    const full = FAILED.replace('5.1.1', '5.2.2').replace('no\n such user', '5.2.2 mailbox full')
    for (const groups of [
      [policy, full, FAILED],
      [FAILED, full, policy],
    ])
      expect(await failureOf(...groups)).toMatchObject({ failure: { status: '5.1.1' } })
    expect(await failureOf(policy, full)).toMatchObject({ failure: { status: '5.2.2' } })
    expect(await failureOf(policy)).toMatchObject({ failure: { status: '5.7.1' } })
  })

  it('counts though it says that it was sent automatically', async () => {
    const text = multipart('delivery-status', TEXT, statusOf(FAILED)).replace(
      'MIME-',
      'Auto-Submitted: auto-replied\nMIME-',
    )
    expect(await parse(text)).toMatchObject({ kind: 'bounce' })
  })

  it('has an id from its bytes where it has no Message-ID', async () => {
    const text = multipart('delivery-status', TEXT, statusOf(FAILED)).replace('Message-ID: <1@mx.example.com>\n', '')
    const ids = [await parse(text), await parse(text), await parse(`${text} `)].map(
      (found) => found?.kind === 'bounce' && found.id,
    )
    expect(ids[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
  })
})

describe('a feedback report', () => {
  const report = (type: string) =>
    `Content-Type: message/feedback-report\n\nFeedback-Type: ${type}\nUser-Agent: Example/1\nVersion: 1\n`

  it('has the unsubscribe links of the mail that it is about, folded or not', async () => {
    const whole = `Content-Type: text/rfc822-headers\n\nList-Unsubscribe: <https://news.example.com/base/unsubscribe/${TOKEN}>\n`
    for (const original of [ORIGINAL, whole])
      expect(await parse(multipart('feedback-report', TEXT, report('abuse'), original))).toEqual({
        kind: 'complaint',
        id: expect.any(String),
        links: [TOKEN],
      })
  })

  it('has those in a text that is wrapped, and none of another kind', async () => {
    const quoted = ORIGINAL.replace(/List-Unsubscribe:[^>]*>\n/, '').replace(
      'Hello',
      `https://news.example.com/unsubscribe/${TOKEN.slice(0, 20)}=\n${TOKEN.slice(20)}\nhttps://news.example.com/confirm/${TOKEN}`,
    )
    expect(await parse(multipart('feedback-report', TEXT, report('abuse'), quoted))).toMatchObject({ links: [TOKEN] })
    const none = ORIGINAL.replace('unsubscribe/8', 'confirm/8')
    expect(await parse(multipart('feedback-report', TEXT, report('fraud'), none))).toMatchObject({ links: [] })
  })

  it('has no link that stands in its own words only', async () => {
    const words = TEXT.replace('Your mail', `https://news.example.com/unsubscribe/${TOKEN}`)
    expect(await parse(multipart('feedback-report', words, report('abuse')))).toMatchObject({ links: [] })
  })

  it.each(['abuse', 'Fraud', 'opt-out', 'other', ''])('is a complaint of the type "%s"', async (type) => {
    expect(await parse(multipart('feedback-report', TEXT, report(type), ORIGINAL))).toMatchObject({ links: [TOKEN] })
  })

  it('is a complaint without a type', async () => {
    const untyped = report('x').replace('Feedback-Type: x\n', '')
    expect(await parse(multipart('feedback-report', TEXT, untyped, ORIGINAL))).toMatchObject({ links: [TOKEN] })
  })

  it('is one without a report if Outlook has marked the mail that it sends back, and not if a person does', async () => {
    const marked = ORIGINAL.replace('From: News', 'X-HmXmrOriginalRecipient: ada@outlook.example\nFrom: News')
    const sent = (original: string) => parse(multipart('x', original).replace('multipart/report', 'multipart/mixed'))
    expect(await sent(marked)).toEqual({ kind: 'complaint', id: expect.any(String), links: [TOKEN] })
    expect(await sent(ORIGINAL)).toBeUndefined()
  })

  it('is one if the report names nothing but its type, as Outlook has it', async () => {
    const sparse = 'Content-Type: message/feedback-report\n\nFeedback-Type: abuse\nUser-Agent: JMRP/1.0\nVersion: 1\n'
    expect(await parse(multipart('feedback-report', TEXT, sparse, ORIGINAL))).toMatchObject({ links: [TOKEN] })
  })

  it.each(['not-spam', 'auth-failure', 'virus', 'dkim', 'something-new', 'constructor', '__proto__', 'toString'])(
    'is none of the type %s',
    async (type) => {
      expect(await parse(multipart('feedback-report', TEXT, report(type), ORIGINAL))).toEqual({ kind: 'other' })
    },
  )
})

describe('a bounce without a report', () => {
  const mail = (from: string, text: string, fields = '') =>
    parse(`From: ${from}\nMessage-ID: <2@mx.example.com>\nSubject: failure notice\n${fields}\n${text}\n`)
  const QMAIL = `Hi. This is the qmail-send program at mx.example.net.
This is a permanent error; I've given up. Sorry it didn't work out.

<x@example.com>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Subject: 5.7.1`

  it('counts where a server names a status that is final', async () => {
    expect(await mail('MAILER-DAEMON@mx.example.net', QMAIL)).toEqual({
      kind: 'bounce',
      id: '<2@mx.example.com>',
      failure: { permanent: true, status: undefined, diagnostic: expect.stringMatching(/\(#5\.1\.1\)\s*$/) },
    })
    expect(await mail('Postmaster <postmaster@mx.example.net>', QMAIL)).toMatchObject({ kind: 'bounce' })
  })

  it('counts where it has the field of failed recipients, in whatever words', async () => {
    const words = 'A message that you sent could not be delivered.\n  x@example.com\n    550 No such user'
    const fields = 'X-Failed-Recipients: x@example.com\nAuto-Submitted: auto-replied\n'
    expect(await mail('Mail Delivery System <a@mx.example.net>', words, fields)).toMatchObject({
      failure: { permanent: true, status: undefined, diagnostic: expect.stringContaining('550 No such user') },
    })
  })

  it.each([
    ['an automatic reply', 'x@example.com', 'I am away. 5.1.1', 'Auto-Submitted: auto-replied\n'],
    ['an automatic reply of a server', 'MAILER-DAEMON@example.com', 'I am away.', 'Auto-Submitted: auto-replied\n'],
    ['a warning of a delay', 'MAILER-DAEMON@example.com', 'Not yet delivered: 451 4.4.1 No answer. I keep trying.', ''],
    ['a status in the copy alone', 'MAILER-DAEMON@example.com', 'No.\n\n--- This is a copy\n\nError 5.1.1', ''],
  ])('is none: %s', async (_, from, text, fields) => {
    expect(await mail(from, text, fields)).toBeUndefined()
  })
})

describe('any other message', () => {
  it.each([
    ['nothing', ''],
    ['an answer of a person', 'From: ada@example.com\nSubject: Re: Confirm\n\nI am on holiday until Monday. 5.1.1'],
    ['a report without its parts', multipart('delivery-status', TEXT)],
    ['bytes', '\u0000\u0001\u0002'.repeat(1_000)],
  ])('is no report: %s', async (_, text) => {
    expect(await parse(text)).toBeUndefined()
  })

  it('is no report where it is longer than 1 MiB, or nested deeper than mails are', async () => {
    const long = multipart('delivery-status', TEXT, statusOf(FAILED)).replace('Your', 'x'.repeat(1024 * 1024))
    expect(await parse(long)).toBeUndefined()
    const nested = Array.from({ length: 300 }, (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\n\n--b${n}\n`)
    expect(await parse(`MIME-Version: 1.0\n${nested.join('')}${statusOf(FAILED)}`)).toBeUndefined()
    const lines = multipart('delivery-status', TEXT, statusOf(FAILED)).replace('Your', '\n'.repeat(33_000))
    expect(await parse(lines)).toBeUndefined()
  })

  it('is not judged for long, however many recipients it names', async () => {
    const text = TEXT.replace('Your', `550 ${'x '.repeat(8_000)}\nYour`)
    const groups = Array.from({ length: 4_000 }, () => 'Action: failed')
    expect(await parse(multipart('delivery-status', text, statusOf(...groups)))).toMatchObject({ kind: 'bounce' })
  })

  // The time is the limit of any test: by the square of their length, each of these would take seconds.
  it.each([
    ['brackets', 'text/html', '<'],
    ['tags', 'text/html', '<p'],
    ['dashes', 'text/plain', '-'],
  ])('is not read for long: %s without end', async (_, type, piece) => {
    const text = `From: mailer-daemon@example.com\nContent-Type: ${type}\n\n${piece.repeat(65_536 / piece.length)}`
    for (let n = 0; n < 20; n++) expect(await parse(text)).toBeUndefined()
  })
})
